/** Commands that show a running bot in a browser. */
import type { CommandRow } from '../shell/command-row.ts';
import { wholeNumber } from '../shell/values.ts';
import { ANY_KEY, configuration, WHICH_BOT } from './shared-options.ts';

const port = wholeNumber(0, 65_535);

export const MONITOR_COMMANDS: readonly CommandRow[] = [
  {
    name: 'monitor',
    summary: 'show a bot in a browser',
    description:
      'Follow a running bot and serve its dashboard on this machine, in a process of its own. `start` starts one, `run` with monitor.enabled: always.',
    options: [
      WHICH_BOT,
      {
        title: 'A recording in place of a bot:',
        options: [
          { flags: '--session <folder>', description: 'the folder of a recorded session, or of several' },
          { flags: '--print', description: 'print the file to open instead of opening it' },
        ],
      },
      {
        title: 'Where it listens:',
        options: [
          { flags: '--port <number>', description: 'port on 127.0.0.1; 0 = the system chooses', parse: port, usual: 'monitor.port' },
        ],
      },
    ],
    examples: [
      ['tickwright monitor --state var/start', 'beside a bot that was started without one'],
      ['tickwright monitor --session var/start/bot/sessions', 'the newest recorded session, without a bot'],
    ],
    notes: [
      'With --session it opens the page of a recording: drag the time, step to what happened, fork. It reaches no bot and no venue, and ends with Ctrl-C.',
      'It prints its address. `tickwright open` opens it in a browser: the address alone shows nothing.',
      'It outlives a bot that dies by ten minutes, and ends when the bot is stopped. A second one for the same bot ends at once with code 75.',
    ],
    variables: [ANY_KEY],
    files: [["the bot's folder", 'monitor.sock, monitor.lock, and monitor.log of one that the bot started']],
    exits: {
      done: 'stopped, or the bot was',
      failed: 'the port is not available',
      usage: '',
      occupied: 'another monitor has the bot',
      configuration: '',
    },
    isPrivate: true,
    run: async () => (await import('../bot/monitor-commands.ts')).serveMonitor,
  },
  {
    name: 'open',
    summary: 'open the dashboard of a bot',
    description: 'Open the dashboard of a running bot in the browser of this machine, with a token that works once, within 30 seconds.',
    options: [
      WHICH_BOT,
      {
        title: 'Options:',
        options: [
          { flags: '--view', description: 'a session that may look but not give commands' },
          { flags: '--print', description: 'print the file to open instead of opening it' },
        ],
      },
    ],
    examples: [['tickwright open'], ['tickwright open --state var/start --view', 'a session that only looks']],
    notes: [
      'The token is in a file that only this user can read, never in an address or a command line. If it is used a second time, the session of the first use ends too, and the monitor says so.',
    ],
    variables: [ANY_KEY],
    exits: { done: '', failed: '', usage: '', notRunning: 'no monitor runs beside the bot', configuration: '' },
    run: async () => (await import('../bot/monitor-commands.ts')).openDashboard,
  },
  {
    name: 'passphrase',
    summary: 'choose the passphrase of a dashboard',
    description:
      'Choose the passphrase that the dashboard of a bot asks for before an act that may raise risk, such as resume. Without one the page refuses those acts.',
    options: [WHICH_BOT, { title: 'Options:', options: [{ flags: '--remove', description: 'the page refuses those acts again' }] }],
    examples: [
      ['tickwright passphrase', 'asks for it twice'],
      ['tickwright passphrase --state var/start < FILE', 'the first line of a file'],
    ],
    notes: [
      'It holds at once, without a restart. It has at least 8 characters. The folder of the bot keeps only what checks it.',
      'After five wrong passphrases the page takes none for ten minutes, and alerts you (`intruder`). Commands in a terminal need none.',
    ],
    variables: [ANY_KEY],
    files: [["the bot's folder", 'passphrase.json']],
    exits: { done: '', failed: '', usage: 'it is too short, or was not the same twice', notRunning: 'no bot is there', configuration: '' },
    run: async () => (await import('../bot/passphrase-command.ts')).setPassphrase,
  },
  {
    name: 'hub',
    summary: 'show all bots of a user in a browser',
    description:
      'Serve one page with all bots of this user: equity, risk and halts by account, and the state of each bot. It only looks: each bot is operated on its own dashboard.',
    args: [{ name: '[folders...]', description: 'state folders of bots that are not found by themselves' }],
    options: [
      {
        title: 'Options:',
        options: [
          { flags: '--port <number>', description: 'port on 127.0.0.1; 0 = the system chooses', parse: port, fallback: 0 },
          { flags: '--print', description: 'print the file to open instead of opening it' },
        ],
      },
    ],
    examples: [['tickwright hub'], ['tickwright hub /srv/other/bot', 'and a bot of another place']],
    notes: [
      'It finds the same bots as `tickwright status --all`, also those that start later. It ends with Ctrl-C; a second `tickwright hub` opens the page of the one that runs.',
    ],
    files: [['TICKWRIGHT_STATE_HOME', 'hub.sock and hub.lock; without the variable, the folder of the account locks']],
    exits: { done: 'stopped, or the page of another hub was opened', failed: 'the port is not available', usage: '' },
    isPrivate: true,
    run: async () => (await import('../hub/hub-command.ts')).serveHub,
  },
  {
    name: 'webhooks',
    summary: 'let programs outside say something to strategies',
    description:
      'Listen on this machine for calls of known senders, and give each to `onSignal` of its strategy, from a process of its own.',
    options: [
      {
        title: 'Which bot:',
        options: [
          ...configuration('the configuration file that the bot is started with'),
          { flags: '--given', description: 'read what to listen for from standard input, as from the bot that starts it' },
        ],
      },
    ],
    examples: [['tickwright webhooks --config live.yaml', 'beside the bot, for a process manager']],
    notes: [
      'It listens on 127.0.0.1 alone, behind a proxy of yours that has the certificate. docs/reference/webhooks.md says how senders show who they are.',
      'With webhooks.start: bot the bot starts it by itself.',
      'It prints its address. A second one for the same bot ends at once with code 75.',
    ],
    variables: [ANY_KEY],
    files: [['webhooks.file', 'the port and the senders with their secrets, mode 0600']],
    exits: {
      done: 'stopped',
      failed: 'the port is not available',
      usage: '',
      occupied: 'another one listens for the bot',
      configuration: '',
    },
    isPrivate: true,
    run: async () => (await import('../bot/webhooks-command.ts')).listen,
  },
];
