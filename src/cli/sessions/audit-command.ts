/** `report audit`: compares a recorded session with the ledger of the paper exchange, line by line. */
import { exitCode } from '../../base/failure/exit-codes.ts';
import type { AuditLine } from '../../run/live/audit/audit.ts';
import type { SessionAudit } from '../../run/live/audit/session-audit.ts';
import type { Document, Section } from '../../report/document/document.ts';
import { minute, moment, whole } from '../../report/document/figures.ts';
import { numbers, words } from '../../report/document/text-table.ts';
import type { CliContext } from '../shell/cli-context.ts';
import { showDocument } from '../shell/show-result.ts';
import { printJson } from '../shell/print-json.ts';

interface AuditFlags {
  readonly session: string;
  readonly ledger: string;
  readonly all?: true;
  readonly json?: true;
}

/** Lines that are shown without --all. */
const MOST_LINES = 20;

export async function runAudit({ session, ledger, all, json }: AuditFlags, context: CliContext): Promise<void> {
  const { auditSession } = await import('../../run/live/audit/session-audit.ts');
  const found = await auditSession(session, ledger);
  if (json) printJson(context.io, 'report audit', found);
  else await showDocument(auditDocument(found, all === true), context.io);
  context.exit(found.first === null ? exitCode.done : exitCode.failed);
}

function auditDocument({ sessions, ledger, account, from, to, counts, first, notes, lines }: SessionAudit, isAll: boolean): Document {
  const rows = Object.entries(counts).map(([what, of]) => [what, ...Object.values(of).map(whole)]);
  const verdict =
    first === null
      ? 'Nothing that was recorded differs from the ledger.'
      : `They differ first at ${moment(first.time)}, line ${first.line} of the ledger: ${first.what} of ${first.id}.`;
  return {
    title: `${sessions.length === 1 ? sessions[0]! : `${sessions.length} sessions`} and ${account} of ${ledger}`,
    words: `${minute(from)} to ${minute(to)} UTC`,
    sections: [
      {
        id: 'result',
        title: '',
        words: '',
        blocks: [
          { kind: 'sentence', text: verdict },
          { kind: 'table', columns: [{ title: '' }, ...['agree', 'differ', 'not recorded'].map(numbers)], rows },
          ...(notes.length === 0 ? [] : [{ kind: 'notes', notes } as const]),
        ],
      },
      ...(isAll
        ? linesSection('Every line', lines, Infinity, true)
        : [
            ...linesSection(
              'What differs',
              lines.filter(({ verdict: one }) => one === 'differs'),
              MOST_LINES,
            ),
            ...linesSection(
              'What was not recorded',
              lines.filter(({ verdict: one }) => one === 'not recorded'),
              MOST_LINES,
            ),
          ]),
    ],
  };
}

function linesSection(title: string, lines: readonly AuditLine[], most: number, isAll = false): Section[] {
  if (lines.length === 0) return [];
  const more = lines.length - most;
  const rows = lines
    .slice(0, most)
    .map(({ time, line, what, id, verdict, recorded, ledger, why }) => [
      moment(time).slice(11),
      line === 0 ? '' : String(line),
      `${what} ${id}`,
      ...(isAll ? [verdict] : []),
      recorded === ledger ? recorded : `${recorded || '–'} / ${ledger}${why === '' ? '' : `: ${why}`}`,
    ]);
  const columns = [{ title: 'time' }, numbers('line'), { title: 'what' }, ...(isAll ? [{ title: '' }] : []), words('recorded / ledger')];
  return [
    {
      id: title,
      title,
      words: '',
      blocks: [
        { kind: 'table', columns, rows },
        ...(more > 0 ? [{ kind: 'sentence', text: `and ${whole(more)} more: --all shows every line` } as const] : []),
      ],
    },
  ];
}
