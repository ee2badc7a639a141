/**
 * Tells systemd how a service is (sd_notify). The socket is a Unix datagram socket, which Node.js does not have: `systemd-notify` sends. It must run
 * in the control group of the service (`NotifyAccess=all`).
 */
import { spawn } from 'node:child_process';

export interface NotifierOptions {
  /** NOTIFY_SOCKET and WATCHDOG_USEC of the service; PATH finds the program. */
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly now: () => number;
  /** Called once if the program cannot be run. */
  readonly onFailure: (error: unknown) => void;
}

export class Notifier {
  readonly #options: NotifierOptions;
  readonly #isOn: boolean;
  /** Milliseconds between two signs of life: a third of the time that the service has. */
  readonly #everyMs: number;
  #isReady = false;
  #isStopping = false;
  #hasFailed = false;
  #toldAt = -Infinity;

  /** Does nothing unless the environment names a socket. */
  constructor(options: NotifierOptions) {
    const { NOTIFY_SOCKET: socket = '', WATCHDOG_USEC: micros = '' } = options.env;
    this.#options = options;
    this.#isOn = socket !== '';
    this.#everyMs = Number(micros) > 0 ? Number(micros) / 3_000 : Infinity;
  }

  /** Another process is the bot from now on. systemd waits for its own READY, and for the STOPPING of that process. */
  began(): void {
    this.#isReady = false;
    this.#isStopping = false;
  }

  /** The bot advanced; `isReady`: it trades. */
  alive(isReady: boolean): void {
    if (isReady && !this.#isReady) this.#tell('READY=1', 'STATUS=armed');
    this.#isReady ||= isReady;
    const now = this.#options.now();
    if (now - this.#toldAt < this.#everyMs) return;
    this.#toldAt = now;
    this.#tell('WATCHDOG=1');
  }

  /** The bot is silent. */
  silent(text: string): void {
    this.#tell(`STATUS=${text}`);
  }

  stopping(): void {
    if (!this.#isStopping) this.#tell('STOPPING=1');
    this.#isStopping = true;
  }

  #tell(...lines: readonly string[]): void {
    if (!this.#isOn || this.#hasFailed) return;
    const { env, onFailure } = this.#options;
    const failed = (error: unknown): void => {
      if (!this.#hasFailed) onFailure(error);
      this.#hasFailed = true;
    };
    const child = spawn('systemd-notify', lines, { env: { ...env }, stdio: 'ignore' });
    child.on('error', failed);
    child.on('exit', (code) => {
      if (code !== 0) failed(new Error(`systemd-notify ended with ${String(code)}`));
    });
  }
}
