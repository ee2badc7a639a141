/**
 * Checks the heap between two calls of strategies, on their thread, so that a slowly filling heap is noticed even on a busy machine. Only
 * memory that survived a full garbage collection counts.
 */
import { getHeapStatistics, GCProfiler } from 'node:v8';

/** Shares of the limit: above the first, collections are observed; more than the second after a full collection is too much. */
const FOLLOWED = 0.6;
export const FULL = 0.85;

/** Returns a check to call after every strategy call, cheap while the heap is small. `onFull` gets the used bytes. */
export function heapWatch(limit: number, onFull: (bytes: number) => void): () => boolean {
  let profiler: GCProfiler | null = null;
  return () => {
    const used = getHeapStatistics().used_heap_size;
    if (used < limit * FOLLOWED) {
      profiler?.stop();
      profiler = null;
      return false;
    }
    if (profiler === null) {
      profiler = started();
      return true;
    }
    if (used < limit * FULL) return true;
    const { statistics } = profiler.stop();
    profiler = started();
    const full = statistics.filter(({ gcType }) => gcType === 'MarkSweepCompact').at(-1);
    const left = full?.afterGC.heapStatistics.usedHeapSize ?? 0;
    if (left >= limit * FULL) onFull(left);
    return true;
  };
}

function started(): GCProfiler {
  const profiler = new GCProfiler();
  profiler.start();
  return profiler;
}
