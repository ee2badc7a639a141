/** Opens a tape for reading: from disk block by block in constant memory, or whole in memory for repeated runs. */
import type { Tape, TapeOptions } from './tape.ts';

/** Checks the folder and gives cursors that decode block by block. @throws TapeError missing | not-a-tape | version | truncated | corrupt */
export declare function openTape(folder: string, options?: TapeOptions): Tape;
/** Reads every row into memory, at most 20 bytes each; `open` costs nothing and may be called often. @throws TapeError as openTape, and off-grid */
export declare function loadTape(folder: string, options?: TapeOptions): Tape;
