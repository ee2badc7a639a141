/**
 * The table of failure codes: exit code, meaning and what to do. Codes are stable, so programs may compare them. docs/reference/failures.md is
 * generated from this table. A test finds codes in the program that are missing here, and rows that nothing uses.
 * size: one table, a row a code
 */
import type { FailureRow } from './failure-row.ts';
import { KEPT_FAILURES } from './kept-failures.ts';
import { TAPE_FAILURES } from './tape-failures.ts';

export type { FailureKind } from './failure-row.ts';

const table = {
  'command-line': {
    kind: 'usage',
    meaning: 'The command line has an unknown command, an unknown option or a value that does not fit.',
    action: 'Read the line below the error, or the same command with `--help`.',
  },
  'flag-missing': {
    kind: 'usage',
    meaning: 'A flag is missing that the command needs.',
    action: 'Add the flag that the error names.',
  },
  'flag-value': {
    kind: 'usage',
    meaning: 'The value of a flag is not one that the flag takes, or does not fit another flag.',
    action: 'Correct the flag that the error names.',
  },
  'flag-conflict': {
    kind: 'usage',
    meaning: 'Two flags do not go together.',
    action: 'Leave one of them out.',
  },
  'path-missing': {
    kind: 'usage',
    meaning: 'A flag names a file or folder that is not there, or a file where a folder is expected.',
    action: 'Correct the path. Relative paths start at the current folder.',
  },
  'files-exist': {
    kind: 'usage',
    meaning:
      'A file of the new project or strategy exists already, or a file that has to be extended has an unexpected form. Nothing was written.',
    action: 'Name another folder, or move the file away.',
  },
  'live-unconfirmed': {
    kind: 'usage',
    meaning: 'The venue is not on this machine, and `--live` is missing.',
    action: 'Check the address, then add `--live`.',
  },
  'strategy-missing': {
    kind: 'usage',
    meaning: 'Neither the command line nor the configuration names a strategy.',
    action: 'Add `--strategy FILE`, or `strategies` in a configuration file.',
  },
  'strategy-load': {
    kind: 'configuration',
    meaning: 'A strategy file cannot be loaded: its syntax, an import or its default export is wrong.',
    action: 'Correct the file at the place that the error names.',
  },
  'strategy-import': {
    kind: 'configuration',
    meaning: 'A strategy imports a module that a backtest could not repeat.',
    action: 'Use what the error proposes instead, or set `strategyGuard: off`.',
  },
  'strategy-promise': {
    kind: 'configuration',
    meaning: 'A promise that a handler of a strategy left behind was rejected. In a backtest nothing waits for it.',
    action: 'Leave promises, `async` functions and `import()` out of handlers, at the place that the error names.',
  },
  'strategy-invalid': {
    kind: 'configuration',
    meaning: 'What the strategy defines is wrong: its name, a handler, its symbols, or `create` threw.',
    action: 'Correct the strategy.',
  },
  'parameter-value': {
    kind: 'configuration',
    meaning: 'A parameter in the configuration is unknown to the strategy, or its value does not fit.',
    action: 'Correct it. The error names the parameters that the strategy has.',
  },
  'parameter-flag': {
    kind: 'usage',
    meaning: 'A parameter from `--param` is unknown to the strategy, or its value does not fit.',
    action: 'Correct the flag. The error names the parameters that the strategy has.',
  },
  'symbol-unknown': {
    kind: 'configuration',
    meaning: 'The configuration gives a strategy a symbol that the market does not have.',
    action: 'Correct the symbol. `spot:SYMBOL` names a spot instrument.',
  },
  'symbol-flag': {
    kind: 'usage',
    meaning: '`--symbol` names a symbol that the market does not have.',
    action: 'Correct the flag. `spot:SYMBOL` names a spot instrument.',
  },
  'config-unreadable': {
    kind: 'usage',
    meaning: 'The configuration file cannot be read.',
    action: 'Correct the path after `--config`, or the permissions of the file.',
  },
  'config-invalid': {
    kind: 'configuration',
    meaning: 'A key or value of the configuration is wrong, in the file or in a `TICKWRIGHT_…` variable.',
    action: 'Correct each place that the error names. `docs/reference/configuration.md` has all keys.',
  },
  'config-flag': {
    kind: 'usage',
    meaning: 'A `--set key=value` names no key, or gives a value that does not fit.',
    action: 'Correct the flag. `docs/reference/configuration.md` has all keys.',
  },
  'yaml-syntax': {
    kind: 'configuration',
    meaning: 'A file is no valid YAML.',
    action: 'Correct the file at the line and column that the error names.',
  },
  'data-unreadable': {
    kind: 'configuration',
    meaning: 'A file of instruments, limits or reference data cannot be read, or is no JSON.',
    action: 'Correct the path in the configuration, or the file.',
  },
  'data-invalid': {
    kind: 'configuration',
    meaning: 'A file of instruments, limits or reference data has an entry that is wrong.',
    action: 'Correct each entry that the error names.',
  },
  'limit-value': {
    kind: 'configuration',
    meaning: 'A limit of the section `risk` has a value that is not an amount of its coin.',
    action: 'Correct the limit. `docs/reference/limits.md` says what each one takes.',
  },
  'poll-plan': {
    kind: 'configuration',
    meaning: 'The reads that the configuration asks for need more requests a second than the limits allow.',
    action: 'Read less often, trade fewer symbols, or correct the file of limits.',
  },
  'venue-missing': {
    kind: 'configuration',
    meaning: 'The configuration names no venue.',
    action: 'Set `venue.baseUrl`.',
  },
  'venue-address': {
    kind: 'configuration',
    meaning: 'The address of the venue is not one that the program connects to.',
    action: 'Give an `https` address, or an `http` address of this machine.',
  },
  'market-address': {
    kind: 'usage',
    meaning: '`--market-url` is not an address that the program connects to.',
    action: 'Give an `https` address, or an `http` address of this machine.',
  },
  'credentials-missing': {
    kind: 'configuration',
    meaning: 'No credentials are set, or only some of the three parts.',
    action: 'Set `TICKWRIGHT_KEY`, `TICKWRIGHT_SECRET` and `TICKWRIGHT_PASSPHRASE`, or name a file in `venue.credentials`.',
  },
  'credentials-file': {
    kind: 'configuration',
    meaning: 'The credentials file cannot be read, or a part in it is wrong.',
    action: 'Correct the file. It has `key`, `secret` and `passphrase`.',
  },
  'alerts-file': {
    kind: 'configuration',
    meaning: 'The file of alerts cannot be read, or a channel in it is wrong.',
    action: 'Correct the file at the place that the error names. docs/reference/alerts.md lists the channels and their fields.',
  },
  'webhooks-file': {
    kind: 'configuration',
    meaning: 'The file of webhooks cannot be read, names nobody, or a sender in it is wrong.',
    action: 'Correct the file at the place that the error names. docs/reference/webhooks.md lists its fields.',
  },
  'alerts-none': {
    kind: 'configuration',
    meaning: 'There is no channel that alerts could be sent to, or no monitor has watched the bot yet.',
    action: 'Name a file with channels in `alerts.file`. The bot then starts its monitor.',
  },
  'credentials-exposed': {
    kind: 'configuration',
    meaning: 'Other users can read a file of secrets (credentials, or channels of alerts), or it belongs to another user.',
    action: 'Run `chmod 600` on the file, as the user who runs the bot.',
  },
  'tls-unchecked': {
    kind: 'configuration',
    meaning: '`NODE_TLS_REJECT_UNAUTHORIZED=0` would accept any certificate.',
    action: 'Unset the variable.',
  },
  'inspector-exposed': {
    kind: 'configuration',
    meaning: 'The inspector of Node.js would listen on an address that other machines reach.',
    action: 'Leave the address out of `--inspect`.',
  },
  'store-unusable': {
    kind: 'configuration',
    meaning: 'The store of the bot is damaged, older than it was, of another bot or a newer version, or cannot be opened.',
    action: 'Read the error; `docs/operations.md` says how to go on from each.',
  },
  ...KEPT_FAILURES,
  'store-occupied': {
    kind: 'occupied',
    meaning: 'Another process has the store.',
    action: 'Stop the other process.',
  },
  'store-away': {
    kind: 'occupied',
    meaning: 'The store cannot be used now: Redis does not answer or is no primary, or the disk fails.',
    action: 'Start Redis, or look at the disk. A process manager starts the bot again until the store is back.',
  },
  'store-behind': {
    kind: 'occupied',
    meaning: 'The Redis that answers now lacks records of the bot: a replica without them was promoted, or it lost its data.',
    action: 'A process manager starts the bot again. It opens nothing until `tickwright rotate-epoch`; `docs/operations.md` says more.',
  },
  'store-refused': {
    kind: 'configuration',
    meaning: 'The store refuses the bot: a wrong user or password of Redis, or missing permissions.',
    action: 'Correct what the error names.',
  },
  'store-full': {
    kind: 'occupied',
    meaning: 'The disk or the Redis of the store has no room left.',
    action: 'Free space, or give Redis more memory. A process manager starts the bot again until there is room.',
  },
  'disk-full': {
    kind: 'occupied',
    meaning: 'A file of the bot beside its store cannot be written, because there is no room: a lock, or a halt.',
    action: 'Free space on the disk that the error names, then run the command again. A process manager starts the bot again.',
  },
  'halt-not-recorded': {
    kind: 'failure',
    meaning: 'A halt or kill could not be written beside the store, and no bot confirmed it.',
    action: 'Free space or repair the folder, and halt again. Until then end the process of the bot, and halt at the venue.',
  },
  'account-occupied': {
    kind: 'occupied',
    meaning: 'Another bot on this machine trades on the account.',
    action: 'Stop the other bot, or use another account.',
  },
  'watchdog-occupied': {
    kind: 'occupied',
    meaning: 'Another watchdog watches this bot.',
    action: 'One is enough. A process manager tries again, and this one takes over when the other ends.',
  },
  'watchdog-lives': {
    kind: 'occupied',
    meaning: 'The watchdog was told to end, and goes on: the bot that started it lives.',
    action: 'Stop the bot: its watchdog ends with it.',
  },
  'watchdog-off': {
    kind: 'configuration',
    meaning: 'The configuration says that the bot has no watchdog, so the bot does not show that it lives.',
    action: 'Set `watchdog.start`, and start the bot again.',
  },
  'account-lock': {
    kind: 'configuration',
    meaning: 'The lock of the account cannot be written.',
    action: 'Name a folder that can be written in the variable of the error.',
  },
  'bot-missing': {
    kind: 'absent',
    meaning: 'No bot runs here. To a command that also reads files: none has left a store.',
    action: 'Start it, or name another with `--state` or `--config`.',
  },
  'bot-silent': {
    kind: 'failure',
    meaning: 'A bot has the folder, and gives no answer. Only programs get this code.',
    action: 'Wait for it, or end its process. `halt` takes effect all the same.',
  },
  'bot-version': {
    kind: 'usage',
    meaning: 'The bot is of another version than the program that calls it. Only programs get this code.',
    action: 'Use the same version of tickwright in both.',
  },
  'command-refused': {
    kind: 'failure',
    meaning: 'The bot refused the command of a program, and nothing was changed. `code` of the error says why.',
    action: 'Read the error: it says what to use instead.',
  },
  'command-lost': {
    kind: 'failure',
    meaning: 'The bot ended while it may have had the command of a program.',
    action: 'Ask for its status before you give the command again.',
  },
  'role-missing': {
    kind: 'usage',
    meaning: 'A program called a command that its role does not allow.',
    action: "Connect with `role: 'reduce'` or `role: 'operate'`.",
  },
  'monitor-missing': {
    kind: 'absent',
    meaning: 'No monitor runs beside the bot.',
    action: 'Start one with `tickwright monitor`, or set `monitor.enabled: always`.',
  },
  'passphrase-unfit': {
    kind: 'usage',
    meaning: 'The passphrase is too short, or was not the same twice.',
    action: 'Choose one of at least 8 characters, and type it twice.',
  },
  'bot-ambiguous': {
    kind: 'usage',
    meaning: 'More than one bot could be meant.',
    action: 'Name one with `--state`.',
  },
  'bot-unnamed': {
    kind: 'usage',
    meaning: 'The folder does not say which bot it belongs to.',
    action: 'Name the configuration of the bot with `--config`.',
  },
  'signals-unreadable': {
    kind: 'usage',
    meaning: 'A line of the file of `--signals` has no time, no text or a wrong field, or is for a strategy that does not run.',
    action: 'Correct the lines that the error names. `docs/bots.md#signal` has the form.',
  },
  'report-unreadable': {
    kind: 'usage',
    meaning: 'A file that was given to `report` is not the JSON of a result, or one of another version, or a study that is not complete.',
    action: 'Make the result again with `--out FILE`; a study is completed by the same `optimize` command.',
  },
  'verify-process': {
    kind: 'failure',
    meaning: 'The second process of `verify`, which repeats the backtest elsewhere, ended with an error.',
    action: 'Read the error; it is that of a strategy or of the machine.',
  },
  'package-missing': {
    kind: 'usage',
    meaning: 'The command needs a package that is not installed with this one, because few need it.',
    action: 'Install it beside this one: `npm install bullmq@6.7.0`.',
  },
  'report-unwritable': {
    kind: 'usage',
    meaning: 'The file of `--out` or `--html` cannot be written.',
    action: 'Name a path that can be written.',
  },
  'output-unwritable': {
    kind: 'failure',
    meaning: 'The answer of a command could not be written to stdout, for example because its disk is full.',
    action: 'Free space, or write to another place, and run the command again.',
  },
  'temporary-unwritable': {
    kind: 'failure',
    meaning: 'The fills of a long backtest did not fit into the folder for temporary files.',
    action: 'Free some space there, or name another folder in `TMPDIR`.',
  },
  'range-empty': {
    kind: 'usage',
    meaning: 'No row of the tape lies between `--from` and `--to`.',
    action: 'Choose times within the tape. The error names its first and last time.',
  },
  'search-space': {
    kind: 'usage',
    meaning: 'A search has no parameter to search.',
    action: 'Give a range with `--param`. The error names the parameters that the strategy has.',
  },
  'search-redis': {
    kind: 'occupied',
    meaning: 'The Redis of a search does not answer, or refuses what is asked.',
    action: 'Start it, or correct the URL of `--redis`.',
  },
  'search-version': {
    kind: 'configuration',
    meaning: 'The workers on a Redis are of another version than the search.',
    action: 'Run the same version of tickwright everywhere.',
  },
  'search-files': {
    kind: 'failure',
    meaning: 'A worker cannot fetch the tape or the strategy of a search.',
    action: 'Start the search again: it puts them on Redis again.',
  },
  'search-worker': {
    kind: 'failure',
    meaning: 'A worker of a search failed three times on one job.',
    action: 'Read the reason in the error and the output of the worker.',
  },
  'study-unusable': {
    kind: 'configuration',
    meaning: 'The file of a study is damaged, of another format, or no study.',
    action: 'Name another file with `--study`.',
  },
  'study-in-use': {
    kind: 'occupied',
    meaning: 'Another process searches with the same study.',
    action: 'Wait for its end, or name another file with `--study`.',
  },
  'study-different': {
    kind: 'usage',
    meaning: 'The file has a study of another strategy, tape, version, space or search.',
    action: 'Use what the study was begun with, or name another file. The error names each difference.',
  },
  'port-unusable': {
    kind: 'failure',
    meaning: 'The paper exchange cannot listen on its port.',
    action: 'Choose another port, or stop the process that has it.',
  },
  'admin-token': {
    kind: 'configuration',
    meaning: 'The token of the admin interface is too short, too long or has forbidden characters.',
    action: 'Give 16 to 200 visible ASCII characters, or leave it out.',
  },
  'admin-request': {
    kind: 'usage',
    meaning: 'A request to the admin interface of the paper exchange has a wrong field.',
    action: 'Correct the fields that the answer names. `GET /admin` lists all of them.',
  },
  'fault-plan': {
    kind: 'configuration',
    meaning: 'A fault plan of the paper exchange has a wrong rule or field.',
    action: 'Correct what the error names. `docs/paper-exchange.md` has all faults.',
  },
  'ledger-missing': {
    kind: 'usage',
    meaning: 'The folder has no ledger of a paper exchange.',
    action: 'Name the `--state` folder of an exchange.',
  },
  'ledger-unreadable': {
    kind: 'failure',
    meaning: 'The ledger of a paper exchange is there and may not be read.',
    action: 'Read it as its user, or give yours the right to read the folder and its files.',
  },
  'ledger-occupied': {
    kind: 'occupied',
    meaning: 'Another paper exchange has the ledger.',
    action: 'Stop it, or name another folder.',
  },
  'ledger-unusable': {
    kind: 'configuration',
    meaning: 'The ledger is damaged, or belongs to an exchange with other settings.',
    action: 'Start with other settings or another folder: `docs/paper-exchange.md#a-ledger-that-cannot-be-used` says which, by error.',
  },
  'session-missing': {
    kind: 'usage',
    meaning: 'The path has no recorded session.',
    action: 'Name a folder in `sessions`, beside the store of a bot that ran with `record.enabled`.',
  },
  'session-unreadable': {
    kind: 'failure',
    meaning: 'The recording has no head, or lacks what the command needs.',
    action: 'Read the error. A recording without a head cannot be replayed.',
  },
  'session-version': {
    kind: 'configuration',
    meaning: 'The recording is of another format version.',
    action: 'Read it with the version of Tickwright that recorded it.',
  },
  ...TAPE_FAILURES,
  'program-fault': {
    kind: 'failure',
    meaning: 'The program has a fault.',
    action: 'Run the command with `TICKWRIGHT_DEBUG=1` and report what it prints.',
  },
  unexpected: {
    kind: 'failure',
    meaning: 'Something failed that no other code describes, often the system or the network.',
    action: 'Read the error; `TICKWRIGHT_DEBUG=1` shows where it happened.',
  },
} as const satisfies Readonly<Record<string, FailureRow>>;

/** A stable code of a failure. */
export type FailureCode = keyof typeof table;

export const FAILURES: Readonly<Record<FailureCode, FailureRow>> = table;
