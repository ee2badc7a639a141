/** Sends a test message to every channel of the file of alerts. */
import { Failure } from '../../../base/failure/failure.ts';
import { readAlertsFile } from '../../../config/files/alerts-file.ts';
import type { BotConfig } from '../../../config/model.ts';
import { createChannel } from '../../../edge/alerts/channels.ts';
import type { Delivery } from '../../../ports/alert-channel.ts';

export interface TestedChannel {
  readonly name: string;
  readonly kind: string;
  readonly delivery: Delivery;
  readonly tookMs: number;
}

/** Tries the channels of `config.alerts.file` at the same time. @throws Failure (alerts-file, alerts-none) */
export async function testChannels({ alerts, bot }: BotConfig): Promise<readonly TestedChannel[]> {
  const { channels } = readAlertsFile(alerts.file);
  if (channels.length === 0) {
    throw new Failure('alerts-none', {
      what: alerts.file === '' ? 'alerts.file names no file' : 'the file of alerts has no channels',
      ...(alerts.file === '' ? {} : { where: alerts.file }),
      hint: 'for example: channels: [{ name: phone, kind: ntfy, topic: my-topic }], in a file of mode 0600',
    });
  }
  return Promise.all(
    channels.map(async (settings) => {
      const time = Date.now();
      const message = {
        alert: 0,
        severity: 'info',
        title: `TEST ${bot}`,
        text: 'This is a test of the alerts.',
        time,
        isResolved: false,
      } as const;
      const delivery = await createChannel(settings).send(message);
      return { name: settings.name, kind: settings.kind, delivery, tookMs: Date.now() - time };
    }),
  );
}
