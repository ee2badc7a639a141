/** The checks of `doctor` about alerts: which channels are configured, what is missing, and what became of the newest messages. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { ChannelSettings } from '../../../base/tables/alert-channels.ts';
import { Failure } from '../../../base/failure/failure.ts';
import { span } from '../../../base/text/figures.ts';
import { isRemote } from '../../../config/schema/base-url.ts';
import { readAlertsFile, type AlertsFile } from '../../../config/files/alerts-file.ts';
import type { BotConfig } from '../../../config/model.ts';
import type { Finding } from '../../outputs/outputs.ts';

const SUBJECT = 'alerts';
/** Newest messages that are looked at. */
const LOOKED_AT = 100;

/** Sends nothing and asks no service: `alert test` does. Reads the private file as the sender will. */
export async function examineAlerts(config: BotConfig): Promise<Finding> {
  const { alerts, monitor } = config;
  if (alerts.file === '') {
    if (!isRemote(config)) return found('ok', 'no channel: fine for paper');
    return found('warning', 'no channel: nobody is told if the bot is in trouble; alerts.file names a file of channels');
  }
  let file: AlertsFile;
  try {
    file = readAlertsFile(alerts.file);
  } catch (error) {
    if (error instanceof Failure) return found('bad', error.message);
    throw error;
  }
  const { channels, ping } = file;
  const says = [
    channels.map(channelText).join(', ') || `${alerts.file} has no channel`,
    ...(ping === null ? ['no ping: nobody is told if this machine fails'] : ['a ping each minute']),
  ].join('; ');
  const missing = [
    ...(channels.length === 0 ? ['nobody is told if the bot is in trouble'] : []),
    ...(channels.length > 0 && channels.every(({ isEscalation }) => isEscalation)
      ? [`each channel is told only what nobody has acknowledged within ${span(alerts.escalateAfterMs)}: give one without escalation`]
      : []),
    ...(monitor.enabled === 'never' ? ['monitor.enabled is never: nobody is told unless you start `tickwright monitor`'] : []),
    ...(await failures(config, channels)),
  ];
  if (missing.length > 0) return found('warning', `${says}; ${missing.join('; ')}`);
  return found('ok', `${says}; \`tickwright alert test\` shows whether they arrive`);
}

/** "pager (ntfy, from critical, only escalated)". */
function channelText({ name, kind, from, isEscalation }: ChannelSettings): string {
  return `${name} (${[kind, ...(from === 'info' ? [] : [`from ${from}`]), ...(isEscalation ? ['only escalated'] : [])].join(', ')})`;
}

/** Channels to which the newest message did not get. */
async function failures(config: BotConfig, channels: readonly ChannelSettings[]): Promise<readonly string[]> {
  const [{ ALERTS_FILE }, { toldAlerts }, { stateFolder }] = await Promise.all([
    import('../../../run/monitor/alerts/alert-watcher.ts'),
    import('../../../run/monitor/alerts/past-alerts.ts'),
    import('../../../run/setup/state-folder.ts'),
  ]);
  const folder = stateFolder(config);
  if (!existsSync(join(folder, ALERTS_FILE))) return [];
  const told = toldAlerts(folder, LOOKED_AT).flatMap(({ deliveries }) => deliveries);
  return channels.flatMap(({ name }) => {
    const last = told.findLast(({ channel, fate }) => channel === name && fate !== 'waiting');
    if (last === undefined || last.fate === 'delivered') return [];
    return [
      `the last message to ${name} was ${last.fate}${last.cause === '' ? '' : ` (${last.cause})`} at ${new Date(last.time).toISOString()}`,
    ];
  });
}

function found(status: Finding['status'], finding: string): Finding {
  return { subject: SUBJECT, status, finding };
}
