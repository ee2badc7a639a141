/**
 * The socket on which a bot shows that it lives: each line goes to all who listen, and a greeting to whoever comes. It needs no disk, so a full
 * one does not look like a hang. A line is with the kernel when `tell` returns: it survives the death of the process.
 */
import { createServer, type Socket } from 'node:net';
import { identityOf, listenPrivately } from './private-socket.ts';
import { beatPath } from './socket-path.ts';

export interface BeatSocket {
  /** How many listen. */
  readonly listeners: number;
  /** Passes a line on. A listener that does not read is disconnected. */
  tell(line: string): void;
  /** Lines for whoever comes from now on. */
  greetWith(lines: () => readonly string[]): void;
  close(): Promise<void>;
}

/** Bytes that may wait for a listener. */
const WAITING_MAX = 1 << 20;
/** How often the socket is looked at: a file that vanished is made again. */
const LOOK_MS = 500;

/** Listens in the state folder. @throws Error of node:net or node:fs */
export async function openBeatSocket(folder: string): Promise<BeatSocket> {
  const path = beatPath(folder);
  const listeners = new Set<Socket>();
  let greeting = (): readonly string[] => [];
  const serve = (socket: Socket): void => {
    listeners.add(socket);
    socket.on('error', () => socket.destroy());
    socket.on('close', () => listeners.delete(socket));
    socket.resume();
    for (const line of greeting()) socket.write(`${line}\n`);
  };
  let server = createServer(serve);
  let file = await listenPrivately(server, path);
  let opening: Promise<void> = Promise.resolve();
  const again = async (): Promise<void> => {
    if (file === identityOf(path)) return;
    server.close();
    server = createServer(serve);
    file = await listenPrivately(server, path);
  };
  const timer = setInterval(() => {
    opening = opening.then(again).catch(() => undefined);
  }, LOOK_MS);
  timer.unref();
  return {
    get listeners() {
      return listeners.size;
    },
    tell(line) {
      for (const socket of listeners) {
        if (socket.writableLength > WAITING_MAX) socket.destroy();
        else socket.write(`${line}\n`);
      }
    },
    greetWith(lines) {
      greeting = lines;
    },
    async close() {
      clearInterval(timer);
      await opening;
      const closed = new Promise<void>((resolve) => {
        server.close(() => resolve());
      });
      for (const socket of listeners) socket.end();
      await Promise.race([closed, gone(listeners)]);
    },
  };
}

/** Who does not read the last line is not waited for. */
const GOODBYE_MS = 500;

function gone(listeners: ReadonlySet<Socket>): Promise<void> {
  return new Promise((resolve) => {
    setTimeout(() => {
      for (const socket of listeners) socket.destroy();
      resolve();
    }, GOODBYE_MS).unref();
  });
}
