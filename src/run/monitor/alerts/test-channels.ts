/** Sends a test message to every channel of the file of alerts, and writes it down where the monitor of the bot writes what it tells. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { Failure } from '../../../base/failure/failure.ts';
import { readAlertsFile } from '../../../config/files/alerts-file.ts';
import type { BotConfig } from '../../../config/model.ts';
import { createChannel } from '../../../edge/alerts/channels.ts';
import type { Fate } from '../../../edge/alerts/outbox.ts';
import { AlertStore } from '../../../edge/alerts/alert-store.ts';
import type { AlertMessage, Delivery } from '../../../ports/alert-channel.ts';
import { stateFolder } from '../../setup/state-folder.ts';
import { ALERTS_FILE } from './alert-watcher.ts';

export interface TestedChannel {
  readonly name: string;
  readonly kind: string;
  readonly delivery: Delivery;
  readonly tookMs: number;
}

/** Tries the channels of `config.alerts.file` at the same time. @throws Failure (alerts-file, alerts-none) */
export async function testChannels({ alerts, bot, store }: BotConfig): Promise<readonly TestedChannel[]> {
  const { channels } = readAlertsFile(alerts.file);
  if (channels.length === 0) {
    throw new Failure('alerts-none', {
      what: alerts.file === '' ? 'alerts.file names no file' : 'the file of alerts has no channels',
      ...(alerts.file === '' ? {} : { where: alerts.file }),
      hint: 'for example: channels: [{ name: phone, kind: ntfy, topic: my-topic }], in a file of mode 0600',
    });
  }
  const time = Date.now();
  const text = 'This is a test of the alerts.';
  const message: AlertMessage = { alert: 0, severity: 'info', title: `TEST ${bot}`, text, time, isResolved: false };
  const tested = await Promise.all(
    channels.map(async (settings) => {
      const delivery = await createChannel(settings).send(message);
      return { name: settings.name, kind: settings.kind, delivery, tookMs: Date.now() - time };
    }),
  );
  note(stateFolder({ bot, store }), message, tested);
  return tested;
}

/** For `alert list`. A bot that was never started has no folder, and nothing is written for it. */
function note(folder: string, message: AlertMessage, tested: readonly TestedChannel[]): void {
  if (!existsSync(folder)) return;
  const store = new AlertStore(join(folder, ALERTS_FILE));
  try {
    const told = store.tell(message, []);
    for (const { name, delivery, tookMs } of tested) {
      const cause = delivery.ok ? '' : delivery.cause;
      const fate: Fate = delivery.ok ? 'delivered' : delivery.isFinal ? 'refused' : 'given-up';
      store.deliver(told, name, { fate, time: message.time + tookMs, cause, tries: 1 });
    }
  } finally {
    store.close();
  }
}
