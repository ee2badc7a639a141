/** Callers that send many requests for pages of trades at once, and how long others wait for the exchange meanwhile. */
import { existsSync, readFileSync } from 'node:fs';
import { connect, type Socket } from 'node:net';
import { ENDPOINTS } from '../../../src/contract/endpoints/endpoints.ts';

/** How the flood treats its answers. */
export const READERS: Readonly<Record<string, (socket: Socket) => void>> = {
  'nobody reads': (socket) => void socket.pause(),
  'are read': (socket) => void socket.resume(),
  'are read slowly'(socket) {
    socket.pause();
    const timer = setInterval(() => void socket.read(4_096), 20);
    socket.once('close', () => clearInterval(timer));
  },
};

const CALLERS = 300;
const PAGES = 30;
const ASKED = 40;

export interface FloodOptions {
  readonly port: number;
  /** Process of the exchange. */
  readonly pid: number;
  readonly read: (socket: Socket) => void;
  /** Sends request number `k` of another caller and resolves with its answer. */
  readonly ask: (k: number) => Promise<unknown>;
}

/** The longest wait of another caller, in milliseconds of the CPU of the exchange's main thread. */
export async function longestWait({ port, pid, read, ask }: FloodOptions): Promise<number> {
  const asked = `GET ${ENDPOINTS.trades.path}?symbol=BTCUSDT&limit=1000 HTTP/1.1\r\nhost: x\r\n\r\n`.repeat(PAGES);
  const sockets = Array.from({ length: CALLERS }, () => {
    const socket = connect(port, '127.0.0.1', () => socket.write(asked));
    socket.on('error', () => undefined);
    read(socket);
    return socket;
  });
  let longest = 0;
  for (let k = 0; k < ASKED; k++) {
    const from = cpuMsOf(pid);
    await ask(k);
    longest = Math.max(longest, cpuMsOf(pid) - from);
  }
  for (const socket of sockets) socket.destroy();
  return longest;
}

/** CPU time of the main thread of a process, so that other programs do not count; where the system does not tell, the time of the clock. */
function cpuMsOf(pid: number): number {
  const path = `/proc/${pid}/task/${pid}/schedstat`;
  return existsSync(path) ? Number(readFileSync(path, 'utf8').split(' ', 1)[0]) / 1e6 : performance.now();
}
