/** Keeps a strategy stopped after a restart: writes its halt to the file beside the store, which the next process reads. */
import { HaltMarker } from '../../edge/file/beside/halt-marker.ts';

const CODE = 'strategy-hung';

/** Writes the halt, replacing an earlier one of this kind. `folder` is the bot's state folder. @throws Error on a file error */
export function keepStopped(folder: string, strategy: string, detail: string, since: number): void {
  const scope = `strategy:${strategy}`;
  const marker = new HaltMarker(folder);
  const others = marker.read().filter((one) => one.scope !== scope || one.code !== CODE);
  marker.write([...others, { scope, code: CODE, detail, since, by: 'bot', seq: 0 }]);
}
