/** The part of the table of archives that the command line needs. */
export { fetchRequest } from '../../tape/fetch/request.ts';
export { ARCHIVE_SOURCES, kindWords, type ArchiveMarket, type ArchiveSource } from '../../tape/fetch/sources.ts';
