/** The commands of an operator to the kernel, and their results. */
import { messageOf } from '../../base/failure/message-of.ts';
import type { Forecast } from '../../domain/messages/forecast.ts';
import type { AddedStrategy } from '../../domain/ready-made.ts';
import type { WatchdogClose } from '../../domain/messages/watchdog.ts';
import type { StrategySource } from '../strategy/definition/source.ts';

/** Who sends the command, and why. Both are journaled and logged. */
export interface CommandOrigin {
  readonly by: string;
  readonly why: string;
}

export type OperatorCommand = CommandOrigin &
  (
    | { readonly name: 'halt' | 'cancel-all' | 'cancel-opens' | 'flatten'; readonly scope: string }
    | { readonly name: 'resume'; readonly scope: string; readonly confirmed: boolean }
    | { readonly name: 'reduce-only'; readonly scope: string; readonly isOn: boolean }
    | { readonly name: 'kill' }
    /** What a flatten of the scope, or a kill, would do now. */
    | { readonly name: 'rehearse'; readonly of: 'flatten' | 'kill'; readonly scope: string }
    /** `venueId` null: the order did not land. */
    | { readonly name: 'settle'; readonly seq: number; readonly venueId: string | null }
    /** `text` is what a program outside says to the strategy. */
    | { readonly name: 'signal'; readonly strategy: string; readonly text: string }
    | { readonly name: 'set'; readonly strategy: string; readonly param: string; readonly value: string }
    /** `source` is the text that is to run, `before` the one that runs. */
    | { readonly name: 'reload'; readonly strategy: string; readonly source: StrategySource; readonly before: StrategySource }
    /** `strategy` "": the only one. */
    | { readonly name: 'add'; readonly strategy: string; readonly symbol: string }
    /** A strategy more, from when the bot is opened again. */
    | { readonly name: 'add-strategy'; readonly strategy: string; readonly added: AddedStrategy }
    | { readonly name: 'remove-strategy'; readonly strategy: string }
    /** Closes that a watchdog may have sent while the bot was silent. */
    | { readonly name: 'import-closes'; readonly closes: readonly WatchdogClose[] }
    | { readonly name: 'remove'; readonly strategy: string; readonly symbol: string; readonly position: '' | 'keep' | 'flatten' }
  );

export type OperatorCode =
  | 'no-such-scope'
  | 'no-such-order'
  | 'no-such-strategy'
  | 'needs-confirmation'
  | 'shared-position'
  | 'position-open'
  | 'not-durable'
  | 'refused';

export type OperatorResult =
  | {
      readonly ok: true;
      /** What was done, one sentence each. */
      readonly did: readonly string[];
      /** Numbers of the orders that must end before the command has taken full effect. */
      readonly orders: readonly number[];
      /** Scope that must be flat before the command has taken full effect; "" for none. */
      readonly flattens: string;
      /** Of a command that was rehearsed. */
      readonly forecast?: Forecast;
    }
  | { readonly ok: false; readonly code: OperatorCode; readonly message: string; readonly hint: string };

/** The result of an operator's command that a check ended. */
export function failedCommand(error: unknown): OperatorResult {
  return {
    ok: false,
    code: 'refused',
    message: `a check of the bot failed amid this command (${messageOf(error)}): part of it may be in effect`,
    hint: 'look at `tickwright status` and at the log, then type it again; a kill and a halt are safe to repeat',
  };
}
