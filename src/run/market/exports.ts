/** `tape export`. In a file of its own, because the other tape commands need none of its packages. */
export { exportTape, type ExportedFile } from '../../tape/export/export.ts';
