/** `tape export`. Apart from the other tape commands, which need none of its packages. */
export { exportTape } from '../../tape/export/export.ts';
