/** The commands of the venue's operator as data: description and fields. */
import type { Problem } from '../../base/failure/failure.ts';
import { problemsOf, type Field, type FieldTable, type TextForm } from '../../base/fields.ts';
import { didYouMean } from '../../base/text/suggest.ts';
import { ENDPOINT_LIST } from '../../contract/endpoints/endpoints.ts';

interface OperatorCommand {
  readonly doc: string;
  readonly fields: FieldTable;
}

const WRITES = ENDPOINT_LIST.filter(({ method }) => method === 'POST').map(({ id }) => id);
const AMOUNT: TextForm = { pattern: /^-?\d+(\.\d{1,8})?$/, words: 'a decimal of at most 8 decimals in quotes, such as "12.5"' };
const account: Field = { kind: 'text', doc: 'name of the account, such as "account-1"' };
const symbol: Field = { kind: 'text', doc: 'a symbol, such as "BTCUSDT"; futures and spot alike' };
const side: Field = { kind: 'word', words: ['LONG', 'SHORT'], doc: 'the leg' };
const amount: Field = { kind: 'text', form: AMOUNT, doc: 'a decimal string' };
const on: Field = { kind: 'flag', doc: 'true from now on, false to end it' };
const optionalText = (doc: string): Field => ({ kind: 'text', doc, isOptional: true });

export const OPERATOR_COMMANDS = {
  call: {
    doc: 'acts as another user of the account: any write of the interface, unsigned',
    fields: {
      account,
      endpoint: { kind: 'word', words: WRITES, doc: 'a write, such as "E12"' },
      params: { kind: 'object', doc: 'its parameters, as on the wire' },
    },
  },
  'revoke-key': { doc: 'refuses every signed request of the account as unauthorized, until restore-key', fields: { account } },
  'restore-key': { doc: 'takes the key of the account again', fields: { account } },
  ban: { doc: 'refuses every request, public ones too, with status 403, as for a banned address', fields: { on } },
  maintenance: { doc: 'refuses every request with status 503; all markets stop', fields: { on } },
  cancel: {
    doc: 'cancels an order',
    fields: { orderId: { kind: 'text', doc: 'as on the wire: "fu-1", "fu-plan-2", "3" for spot' } },
  },
  offline: { doc: 'takes a symbol offline: no endpoint knows it, its market stops, its orders stay', fields: { symbol } },
  online: { doc: 'brings it back, unless it was delisted', fields: { symbol } },
  delist: {
    doc: 'cancels all orders of a symbol, closes all its positions at the market, and takes it offline for good',
    fields: { symbol },
  },
  freeze: { doc: 'stops the market of a symbol; its last data is still served', fields: { symbol } },
  thaw: { doc: 'lets it continue', fields: { symbol } },
  spike: {
    doc: 'makes the price jump, until the next market row',
    fields: { symbol, percent: { kind: 'number', min: -99, max: 1000, doc: 'how far, such as -50' } },
  },
  'margin-mode': {
    doc: 'changes the margin mode of a symbol; refused while it has a position',
    fields: { account, symbol, marginMode: { kind: 'word', words: ['CROSS', 'ISOLATED'], doc: 'the new mode' } },
  },
  leverage: {
    doc: 'changes the leverage of a leg; refused while orders wait to open it',
    fields: { account, symbol, side, leverage: { kind: 'whole', min: 1, max: 500, doc: 'the new multiplier' } },
  },
  liquidate: { doc: 'liquidates a leg', fields: { account, symbol, side } },
  deposit: {
    doc: 'adds money to an account, or takes it away if the amount is negative',
    fields: {
      account,
      wallet: { kind: 'word', words: ['futures', 'spot'], doc: 'which of the two' },
      coin: { kind: 'text', doc: 'such as "USDT"' },
      amount,
    },
  },
  withdrawal: {
    doc: 'adds a withdrawal record (E5); moves no money',
    fields: {
      account,
      coin: { kind: 'text', doc: 'such as "USDT"' },
      amount,
      fee: { ...amount, isOptional: true },
      status: { kind: 'word', words: ['pending', 'completed', 'failed'], doc: 'by default completed', isOptional: true },
      chain: optionalText('the network, by default COIN-PAPER'),
      toAddress: optionalText('where it went'),
      tag: optionalText('memo or tag of the destination'),
      orderId: {
        kind: 'text',
        form: { pattern: /^\d{1,15}$/, words: 'digits in quotes, at most 15' },
        doc: 'its id, by default the next; replaces a record with this id',
        isOptional: true,
      },
    },
  },
} as const satisfies Readonly<Record<string, OperatorCommand>>;

export type OperatorCommandName = keyof typeof OPERATOR_COMMANDS;

/** Problems of a command as given; empty if it is valid. */
export function problemsOfCommand(name: string, given: unknown): Problem[] {
  if (!Object.hasOwn(OPERATOR_COMMANDS, name)) {
    const names = Object.keys(OPERATOR_COMMANDS);
    return [
      {
        what: `there is no command "${name.slice(0, 40)}"`,
        hint: didYouMean(name, names) ?? `there are ${names.join(', ')}`,
      },
    ];
  }
  return problemsOf(given, OPERATOR_COMMANDS[name as OperatorCommandName].fields, name, `the command "${name}"`);
}
