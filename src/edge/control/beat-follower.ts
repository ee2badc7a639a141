/** Follows the signs of life of a bot (beat-socket.ts), whether it is there already, comes later, or comes again. */
import { connect, type Socket } from 'node:net';
import { beatPath } from './socket-path.ts';

export interface BeatFollower {
  /** True while a bot has its socket open, though it may be silent. */
  readonly isConnected: boolean;
  stop(): void;
}

/** How often a bot that is not there is looked for. */
const AGAIN_MS = 200;
/** A longer line is none of a bot. */
const LINE_MAX = 4 << 20;

export function followBeats(folder: string, onLine: (line: string) => void): BeatFollower {
  let socket: Socket | null = null;
  let timer: NodeJS.Timeout | undefined;
  let isConnected = false;
  let isStopped = false;
  const open = (): void => {
    let rest = '';
    const own = connect(beatPath(folder));
    socket = own;
    own.setEncoding('utf8');
    own.on('connect', () => {
      isConnected = true;
    });
    own.on('data', (text: string) => {
      const lines = `${rest}${text}`.split('\n');
      rest = lines.pop() ?? '';
      if (rest.length > LINE_MAX) own.destroy();
      for (const line of lines) onLine(line);
    });
    own.on('error', () => own.destroy());
    own.on('close', () => {
      isConnected = false;
      if (!isStopped) timer = setTimeout(open, AGAIN_MS);
    });
  };
  open();
  return {
    get isConnected() {
      return isConnected;
    },
    stop() {
      isStopped = true;
      clearTimeout(timer);
      socket?.destroy();
    },
  };
}
