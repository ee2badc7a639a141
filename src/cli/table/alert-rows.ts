/** Commands about alerts. */
import { ALERT_RULES } from '../../base/tables/alert-rules.ts';
import type { CommandRow } from '../shell/command-row.ts';
import { wholeNumber } from '../shell/values.ts';
import { ANY_KEY, configuration, JSON_OPTION, WHICH_BOT } from './shared-options.ts';

export const ALERT_COMMANDS: readonly CommandRow[] = [
  {
    name: 'alert',
    summary: 'what a person is told about a bot',
    description: 'Try the channels of alerts, list what was told, and rehearse a rule on the past.',
    examples: [
      ['tickwright alert test --config live.yaml', 'a test message to every channel'],
      ['tickwright alert list', 'what was told, and what became of it'],
    ],
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
  {
    name: 'alert list',
    summary: 'what was told, and what became of it',
    description: 'List the newest alerts: when, what, and of each channel whether it was delivered.',
    options: [
      WHICH_BOT,
      {
        title: 'Options:',
        options: [{ flags: '--last <number>', description: 'number of alerts', parse: wholeNumber(1, 10_000), fallback: 20 }, JSON_OPTION],
      },
    ],
    examples: [['tickwright alert list --last 5']],
    variables: [ANY_KEY],
    exits: { done: '', usage: '', configuration: 'no monitor has watched the bot yet' },
    run: async () => (await import('../alerts/alert-past-commands.ts')).runAlertList,
  },
  {
    name: 'alert rehearse',
    summary: 'how often a rule would have told in the past',
    description:
      'Run a rule over what the monitor has recorded of the bot, by the minute for up to 90 days: how often it would have told, and when.',
    args: [{ name: '<rule>', description: 'a rule of docs/reference/alerts.md', choices: Object.keys(ALERT_RULES) }],
    options: [
      WHICH_BOT,
      {
        title: 'Options:',
        options: [{ flags: '--days <number>', description: 'days back', parse: wholeNumber(1, 90), fallback: 30 }, JSON_OPTION],
      },
    ],
    examples: [['tickwright alert rehearse market --days 7', 'before it is switched on in alerts.rules']],
    notes: ['A rule that is off is rehearsed as info. Quiet hours are left out: the night counts the messages from 22:00 to 6:00 UTC.'],
    variables: [ANY_KEY],
    exits: { done: '', usage: '', configuration: 'no monitor has watched the bot yet' },
    run: async () => (await import('../alerts/alert-past-commands.ts')).runAlertRehearse,
  },
];
