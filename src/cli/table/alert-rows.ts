/** Commands about alerts. */
import type { CommandRow } from '../shell/command-row.ts';
import { ANY_KEY, configuration, JSON_OPTION } from './shared-options.ts';

export const ALERT_COMMANDS: readonly CommandRow[] = [
  {
    name: 'alert',
    summary: 'try the channels of alerts',
    description: 'Try what tells a person about the bot.',
    examples: [['tickwright alert test --config live.yaml', 'a test message to every channel']],
  },
  {
    name: 'alert test',
    summary: 'send a test message to every channel',
    description: 'Send a test message to every channel of `alerts.file`, and say of each whether it was delivered.',
    options: [{ title: 'Options:', options: [...configuration('the configuration file of the bot'), JSON_OPTION] }],
    examples: [['tickwright alert test --config live.yaml']],
    notes: ['No secret and no address of a channel is printed.'],
    variables: [ANY_KEY],
    exits: {
      done: 'every channel took the message',
      failed: 'a channel did not',
      usage: '',
      configuration: 'the file of alerts is wrong, or names no channel',
    },
    run: async () => (await import('../alerts/alert-test-command.ts')).runAlertTest,
  },
];
