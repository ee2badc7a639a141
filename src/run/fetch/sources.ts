/** What the command line needs of the table of archives. */
export { fetchRequest } from '../../tape/fetch/request.ts';
export { ARCHIVE_SOURCES, kindWords, type ArchiveMarket, type ArchiveSource } from '../../tape/fetch/sources.ts';
