/** Small changes that break what an operator changes of a running strategy. The search beside must find each; `npm run mutants` checks that. */
import type { NamedEdit } from '../../mutation/edits.ts';

/** How the place and the pattern of an edit are read: test/mutation/edits.ts. */
export const CHANGE_MUTANTS: readonly NamedEdit[] = [
  ['set: a change is not journaled', 'strategy-changer.ts', 'core.journal.note(...$note, core.now);', ''],
  ['set: an empty value does not restore that of the configuration', 'given.ts', "if ($value === '') delete $all[$key];", ''],
  ['set: the state is not carried over', 'strategy-changer.ts', '$runner.start($state)', '$runner.start(undefined)'],
  [
    'add: another change of the same symbol is not taken back',
    'strategy-changer.ts add',
    "=== 'removed' ? '' : 'added'",
    "=== 'removed' ? 'added' : 'added'",
  ],
  [
    'add: the strategy does not hear of the new symbol',
    'strategy-changer.ts',
    'joinMarket({ $runner, instruments: $setup.$instruments, $markets }, $index, $dispatch, $core);',
    '',
  ],
  ['remove: the strategy goes on hearing of the symbol', 'strategy-changer.ts', 'leaveMarket($runner, $markets, $index, $dispatch);', ''],
  ['remove: the last symbol may go', 'symbol-removal.ts', '$instruments.length === 1', '$instruments.length === 0'],
  [
    'check: what an operator added is forgotten',
    'change/effects.ts asBegun',
    '{ ...$EMPTY_SNAPSHOT, $symbols, $universes }',
    '{ ...$EMPTY_SNAPSHOT, $universes }',
  ],
  ['reload: the text before does not come back', 'records/trial.ts failed', 'this.#$failed($why);', ''],
  ['reload: what comes back has lost its state', 'strategy-reload.ts', 'state: $failed.$state ?? undefined', 'state: undefined'],
  [
    'reload: the journal has the text before',
    'strategy-reload.ts run',
    '{ $source, at: $core.$now, ...$back, ',
    '{ source: before, at: $core.$now, ...$back, ',
  ],
  ['reload: of two reloads in an hour the first comes back', 'strategy-reload.ts', 'isOnTrial($last, $core.$now) ?', 'false ?'],
  ['reload: a proven text is on trial again', 'strategy-reload.ts', '$isProven ? { before: null, ', 'false ? { before: null, '],
  ['reload: the text that runs is taken again', 'strategy-reload.ts', '$source.sha256 === $before.sha256', "$source.sha256 === ''"],
];
