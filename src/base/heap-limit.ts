/** The limit up to which the memory of a bot may grow. */

/** Megabytes of heap for a bot under a process manager: five times what a bot of a few symbols needs. ecosystem.config.cjs has the same. */
export const HEAP_MB = 768;
/** The option of Node.js that sets it. */
export const HEAP_FLAG = '--max-old-space-size';
