/** Commands about assistants: what serves one, and what a person approves. */
import type { CommandRow } from '../shell/command-row.ts';
import { ANY_KEY, WHICH_BOT } from './shared-options.ts';

export const ASSISTANT_COMMANDS: readonly CommandRow[] = [
  {
    name: 'mcp',
    summary: 'let an assistant read a bot, try its strategies and propose commands',
    description:
      'Serve a bot to an assistant over stdin and stdout (Model Context Protocol). It reads; it tries strategies of the configuration in a process without keys; commands it can only propose.',
    options: [
      WHICH_BOT,
      {
        title: 'What it may use:',
        options: [
          { flags: '--tapes <folder>', description: 'a folder of tapes, for backtests and searches', usual: 'none' },
          { flags: '--reports <folder>', description: 'a folder of results that `--out` wrote', usual: 'none' },
          { flags: '--read-only', description: 'offer no proposals' },
        ],
      },
    ],
    examples: [
      ['tickwright mcp --config live.yaml --tapes tapes', 'as the command of a server in the settings of the assistant'],
      ['tickwright mcp --state var/bot --read-only'],
    ],
    notes: [
      'Without --config it tries no strategies. Without a passphrase (`tickwright passphrase`) it proposes nothing.',
      'docs/assistants.md says what it never offers, and how to keep the user of the assistant apart from that of the bot.',
    ],
    variables: [ANY_KEY],
    files: [['assistant/', 'in the folder of the bot: proposals, and journal.jsonl with every call and the name of the client']],
    exits: { done: 'the client closed the connection', failed: '', usage: '', notRunning: '', configuration: '' },
    run: async () => (await import('../assistant/mcp-command.ts')).runMcp,
  },
  {
    name: 'approve',
    summary: 'carry out what an assistant proposed',
    description: 'Show a proposal with its effect as it is now, and carry it out once the passphrase of the bot is typed at this terminal.',
    args: [{ name: '[id]', description: 'the id of the proposal; without it, what waits is listed' }],
    options: [WHICH_BOT],
    examples: [['tickwright approve', 'what waits'], ['tickwright approve a7kq2m']],
    notes: [
      'It is refused if the effect is not the proposed one any more, after ten minutes, and the second time. Three wrong passphrases void a proposal.',
    ],
    variables: [ANY_KEY],
    exits: {
      done: '',
      failed: '',
      usage: 'the proposal may not be carried out',
      partly: '',
      refused: '',
      notRunning: '',
      recorded: '',
      silent: '',
      configuration: '',
    },
    run: async () => (await import('../assistant/approve-command.ts')).runApprove,
  },
];
