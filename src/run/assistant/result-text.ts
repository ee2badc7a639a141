/** A result of research as Markdown: what the command line prints of it. */
import { documentMarkdown } from '../../report/document/document-markdown.ts';
import { researchDocument, type ResearchResult } from '../../report/document/research/research-document.ts';
import { runDocument } from '../../report/document/run/run-document.ts';
import type { RunReport } from '../../report/run-report.ts';
import { isRun } from '../report/report-files.ts';

export function resultText(result: RunReport | ResearchResult): string {
  return documentMarkdown(isRun(result) ? runDocument(result, { isAll: false }) : researchDocument(result));
}
