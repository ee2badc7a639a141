/** `node --import bench/tell-peak.ts PROGRAM …`: writes the peak memory of the process in MB to the file that PEAK_FILE names. */
import { writeFileSync } from 'node:fs';
import { isMainThread } from 'node:worker_threads';
import { peakMb } from './peak-memory.ts';

if (isMainThread) process.on('exit', () => writeFileSync(process.env['PEAK_FILE']!, String(peakMb())));
