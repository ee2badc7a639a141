/**
 * Looks at the heap between two calls of strategies, on the thread that they run on: however busy the machine is, a heap that fills call by
 * call is seen before it is full. What counts is what a full collection left, never what may be garbage.
 */
import { getHeapStatistics, GCProfiler } from 'node:v8';

/** Shares of the limit: from here on collections are followed, and what a full one leaves above here is too much. */
const FOLLOWED = 0.6;
export const FULL = 0.85;

/** A look: cheap until the heap is more than half full, and then wanted after every call. `onFull` is told how many bytes live. */
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
