/** The tables of the import, for the page that is made of them. */
export { ROLES } from '../../tape/formats/format.ts';
export { FORMATS } from '../../tape/formats/format-table.ts';
export { DROP_REASONS } from '../../tape/import/drops.ts';
