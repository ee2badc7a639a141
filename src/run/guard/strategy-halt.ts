/** Keeps a strategy stopped over a restart: its halt is in the file beside the store before the next process reads it. */
import { HaltMarker } from '../../edge/file/halt-marker.ts';

const CODE = 'strategy-hung';

/** Replaces an earlier halt of this kind. `folder` is the bot's state folder. @throws Error when the file cannot be read or written */
export function keepStopped(folder: string, strategy: string, detail: string, since: number): void {
  const scope = `strategy:${strategy}`;
  const marker = new HaltMarker(folder);
  const others = marker.read().filter((one) => one.scope !== scope || one.code !== CODE);
  marker.write([...others, { scope, code: CODE, detail, since, by: 'bot', seq: 0 }]);
}
