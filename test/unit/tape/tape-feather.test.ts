/** Arrow files, made by pyarrow 26: `pyarrow.feather.write_feather(table, file, compression=…)`, and by our own export. */
import { mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { exportTape } from '../../../src/tape/export/export.ts';
import { importFiles } from '../../../src/tape/import/import.ts';
import { unpackLz4 } from '../../../src/tape/import/columns/lz4.ts';
import { readManifest } from '../../../src/tape/read.ts';
import { streamsOf } from '../../../src/tape/streams-of.ts';
import { plainRows } from '../../support/tape/plain-rows.ts';
import { withFolder } from '../../support/tape/tape-rows.ts';

const T = 1_735_689_600_000;
const FILES: Readonly<Record<string, string>> = {
  lz4: [
    'QVJST1cxAAD/////eAEAABAAAAAAAAoADAAGAAUACAAKAAAAAAEEAAwAAAAIAAgAAAAEAAgAAAAEAAAABgAAAAQBAADAAAAAkAAAAGQAAAA0AAAABAAAACT///8AAAEDEA',
    'AAABgAAAAEAAAAAAAAAAYAAAB2b2x1bWUAAFb///8AAAIAUP///wAAAQMQAAAAGAAAAAQAAAAAAAAABQAAAGNsb3NlAAAAgv///wAAAgB8////AAABAxAAAAAUAAAABAAA',
    'AAAAAAADAAAAbG93AKr///8AAAIApP///wAAAQMQAAAAGAAAAAQAAAAAAAAABAAAAGhpZ2gAAAAA1v///wAAAgDQ////AAABAxAAAAAcAAAABAAAAAAAAAAEAAAAb3Blbg',
    'AABgAIAAYABgAAAAAAAgAQABQACAAGAAcADAAAABAAEAAAAAAAAQoQAAAAIAAAAAQAAAAAAAAABAAAAGRhdGUAAAAACAAMAAYACAAIAAAAAAABAAQAAAADAAAAVVRDAAAA',
    'AAD/////iAEAABQAAAAAAAAADAAYAAYABQAIAAwADAAAAAADBAAcAAAASAIAAAAAAAAAAAAADAAcABAABAAIAAwADAAAAOgAAAAcAAAAFAAAADAAAAAAAAAAAAAAAAQABA',
    'AEAAAADAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAADgBAAAAAAAAOAEAAAAAAAAAAAAAAAAAADgBAAAAAAAAOQAAAAAAAAB4AQAAAAAAAAAAAAAAAAAAeAEAAAAAAAAq',
    'AAAAAAAAAKgBAAAAAAAAAAAAAAAAAACoAQAAAAAAACoAAAAAAAAA2AEAAAAAAAAAAAAAAAAAANgBAAAAAAAAOQAAAAAAAAAYAgAAAAAAAAAAAAAAAAAAGAIAAAAAAAAwAA',
    'AAAAAAAAAAAAAGAAAAMAAAAAAAAAAAAAAAAAAAADAAAAAAAAAAAAAAAAAAAAAwAAAAAAAAAAAAAAAAAAAAMAAAAAAAAAAAAAAAAAAAADAAAAAAAAAAAAAAAAAAAAAwAAAA',
    'AAAAAAAAAAAAAAAAgAEAAAAAAAAEIk0YYECCIQEAALEAfCkflAEAAGBmKggAMcBQKwgAMSA7LAgAMYAlLQgAMeAPLggAIkD6CAAxoOQvEAAxAM8wCAAxYLkxCAAxwKMyCA',
    'AxII4zCAAxgHg0CAAx4GI1CAAxQE02CAAxoDc3CAAxACI4CAAxYAw5CAAiwPYIADEg4ToQADGAyzsIADHgtTwIADFAoD0IADGgij4IADEAdT8IADFgX0AIADHASUEIADEg',
    'NEIIADGAHkMIADHgCEQIACJA8wgAMaDdRRAAMQDIRggAMWCyRwgAMcCcSAgAMSCHSQgAMYBxSggAMeBbSwgAMUBGTAgAMaAwTQgAMQAbTggAMWAFTwgAIsDvCAAxINpQEA',
    'AxgMRRCAAx4K5SCAAxQJlTCACAoINUH5QBAAAAAAAAgAEAAAAAAAAEIk0YYECCIgAAAICamZmZgbT2QAgAE5EIABOhCAATsQgADyAA/0VQmbG09kAAAAAAAAAAAAAAAIAB',
    'AAAAAAAABCJNGGBAghMAAACPAAAAACi19kAIAP9hUAAotfZAAAAAAAAAAAAAAIABAAAAAAAABCJNGGBAghMAAACPMzMzM+uz9kAIAP9hUDPrs/ZAAAAAAAAAAAAAAIABAA',
    'AAAAAABCJNGGBAgiIAAACAMzMzM5O09kAIABOjCAATswgAE8MIAA8gAP9FUDPDtPZAAAAAAAAAAAAAAACAAQAAAAAAAAQiTRhgQIIZAAAAEQABACH4PwcAIwDQCAAPEAD/',
    'U1AAAADQPwAAAAD/////AAAAABAAAAAMABQABgAIAAwAEAAMAAAAAAAEADgAAAAoAAAABAAAAAEAAACIAQAAAAAAAJABAAAAAAAASAIAAAAAAAAAAAAAAAAAAAgACAAAAA',
    'QACAAAAAQAAAAGAAAABAEAAMAAAACQAAAAZAAAADQAAAAEAAAAJP///wAAAQMQAAAAGAAAAAQAAAAAAAAABgAAAHZvbHVtZQAAVv///wAAAgBQ////AAABAxAAAAAYAAAA',
    'BAAAAAAAAAAFAAAAY2xvc2UAAACC////AAACAHz///8AAAEDEAAAABQAAAAEAAAAAAAAAAMAAABsb3cAqv///wAAAgCk////AAABAxAAAAAYAAAABAAAAAAAAAAEAAAAaG',
    'lnaAAAAADW////AAACAND///8AAAEDEAAAABwAAAAEAAAAAAAAAAQAAABvcGVuAAAGAAgABgAGAAAAAAACABAAFAAIAAYABwAMAAAAEAAQAAAAAAABChAAAAAgAAAABAAA',
    'AAAAAAAEAAAAZGF0ZQAAAAAIAAwABgAIAAgAAAAAAAEABAAAAAMAAABVVEMAoAEAAEFSUk9XMQ==',
  ].join(''),
  zstd: [
    'QVJST1cxAAD/////eAEAABAAAAAAAAoADAAGAAUACAAKAAAAAAEEAAwAAAAIAAgAAAAEAAgAAAAEAAAABgAAAAQBAADAAAAAkAAAAGQAAAA0AAAABAAAACT///8AAAEDEA',
    'AAABgAAAAEAAAAAAAAAAYAAAB2b2x1bWUAAFb///8AAAIAUP///wAAAQMQAAAAGAAAAAQAAAAAAAAABQAAAGNsb3NlAAAAgv///wAAAgB8////AAABAxAAAAAUAAAABAAA',
    'AAAAAAADAAAAbG93AKr///8AAAIApP///wAAAQMQAAAAGAAAAAQAAAAAAAAABAAAAGhpZ2gAAAAA1v///wAAAgDQ////AAABAxAAAAAcAAAABAAAAAAAAAAEAAAAb3Blbg',
    'AABgAIAAYABgAAAAAAAgAQABQACAAGAAcADAAAABAAEAAAAAAAAQoQAAAAIAAAAAQAAAAAAAAABAAAAGRhdGUAAAAACAAMAAYACAAIAAAAAAABAAQAAAADAAAAVVRDAAAA',
    'AAD/////kAEAABQAAAAAAAAADAAYAAYABQAIAAwADAAAAAADBAAcAAAAmAIAAAAAAAAAAAAADAAeABAABAAIAAwADAAAAPAAAAAkAAAAGAAAADAAAAAAAAAAAAAAAAAABg',
    'AIAAcABgAAAAAAAAEMAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA5wAAAAAAAADoAAAAAAAAAAAAAAAAAAAA6AAAAAAAAABzAAAAAAAAAGABAAAAAAAAAAAAAAAAAABg',
    'AQAAAAAAACEAAAAAAAAAiAEAAAAAAAAAAAAAAAAAAIgBAAAAAAAAIQAAAAAAAACwAQAAAAAAAAAAAAAAAAAAsAEAAAAAAABzAAAAAAAAACgCAAAAAAAAAAAAAAAAAAAoAg',
    'AAAAAAAGsAAAAAAAAAAAAAAAYAAAAwAAAAAAAAAAAAAAAAAAAAMAAAAAAAAAAAAAAAAAAAADAAAAAAAAAAAAAAAAAAAAAwAAAAAAAAAAAAAAAAAAAAMAAAAAAAAAAAAAAA',
    'AAAAADAAAAAAAAAAAAAAAAAAAACAAQAAAAAAACi1L/1ggACtBgBkCQB8KR+UAQAAYGYqwFArIDssgCUt4A8uQPqg5C8AzzBguTHAozIgjjOAeDTgYjVATTagNzcAIjhgDD',
    'nA9iDhOoDLO+C1PECgPaCKPgB1P2BfQMBJQSA0QoAeQ+AIREDzoN1FAMhGYLJHwJxIIIdJgHFK4FtLQEZMoDBNABtOYAVPwO8g2lCAxFHgrlJAmVOgg1QflAEAAC4g4Ncy',
    'brQhxuAbbci40YaMG23IuNEG4jZkuNGGjBttyLjRhhiDb7Qh40YbMm60IeOGNhC3IeMGaWNC8gIAgAEAAAAAAAAotS/9YIAADQMA5AOamZmZgbT2QJqZmZmRobGBkaGxgZ',
    'GhsYGRobGBkaGxgZGhsYGRobGBkaGxgZGhsYGRobGBkaGxgZGhsbT2QC4k4NcEckyOyTE5JsfkmDgmx+SYHJNjckyOkWNyhF36AgAAAAAAgAEAAAAAAAAotS/9YIAAfQAA',
    'QAAAAAAotfZAAQB1UwsXAAAAAAAAAIABAAAAAAAAKLUv/WCAAH0AAEAzMzMz67P2QAEAdVMLFwAAAAAAAACAAQAAAAAAACi1L/1ggAANAwDkAzMzMzOTtPZAMzMzM6Ozw5',
    'Ojs8OTo7PDk6Ozw5Ojs8OTo7PDk6Ozw5Ojs8OTo7PDk6Ozw5Ojs8OTo7PDtPZALiTg1wRyTI7JMTkmx+SYOCbH5Jgck2NyTI6RY3KEXfoCAAAAAACAAQAAAAAAACi1L/1g',
    'gADNAgAChAYJ8BkDx/vf6OxkCQBA2rZt27Zt27YtEgAAAS4g4NdZ8mWWJV9mWfJlliVfZlnyZZYlX2ZZ5MssS77MsuTLLEu+zLLkyyxLvsyy5MtMlnyZZRn5lqxdcgAAAA',
    'AA/////wAAAAAQAAAADAAUAAYACAAMABAADAAAAAAABAA4AAAAKAAAAAQAAAABAAAAiAEAAAAAAACYAQAAAAAAAJgCAAAAAAAAAAAAAAAAAAAIAAgAAAAEAAgAAAAEAAAA',
    'BgAAAAQBAADAAAAAkAAAAGQAAAA0AAAABAAAACT///8AAAEDEAAAABgAAAAEAAAAAAAAAAYAAAB2b2x1bWUAAFb///8AAAIAUP///wAAAQMQAAAAGAAAAAQAAAAAAAAABQ',
    'AAAGNsb3NlAAAAgv///wAAAgB8////AAABAxAAAAAUAAAABAAAAAAAAAADAAAAbG93AKr///8AAAIApP///wAAAQMQAAAAGAAAAAQAAAAAAAAABAAAAGhpZ2gAAAAA1v//',
    '/wAAAgDQ////AAABAxAAAAAcAAAABAAAAAAAAAAEAAAAb3BlbgAABgAIAAYABgAAAAAAAgAQABQACAAGAAcADAAAABAAEAAAAAAAAQoQAAAAIAAAAAQAAAAAAAAABAAAAG',
    'RhdGUAAAAACAAMAAYACAAIAAAAAAABAAQAAAADAAAAVVRDAKABAABBUlJPVzE=',
  ].join(''),
};
/** `pyarrow.compress(bytes(range(64)) * 1100, codec='lz4')`: its second block refers to its first. */
const LINKED = [
  'BCJNGEBAwEsBAAD/MQABAgMEBQYHCAkKCwwNDg8QERITFBUWFxgZGhscHR4fICEiIyQlJicoKSorLC0uLzAxMjM0NTY3ODk6Ozw9Pj9AAP////////////////////////',
  '//////////////////////////////////////////////////////////////////////////////////////////////////////////////////////////////////',
  '//////////////////////////////////////////////////////////////////////////////////////////////////////////////////////////////////',
  '////////////////////////////////////////////////////////+oUDs8PT4/HAAAAA9AAP////////////////////////pQOzw9Pj8AAAAA',
].join('');

const BARS = Array.from({ length: 48 }, (_, k) => [
  T + k * 60_000,
  93_000.1 + (k % 4),
  93_010.5,
  92_990.7,
  93_001.2 + (k % 4),
  k % 2 === 0 ? 1.5 : 0.25,
]);

function rowsOf(tape: string): Record<string, unknown[]> {
  return Object.fromEntries(
    [...streamsOf(tape, readManifest(tape), () => true, true)].map((stream) => [`${stream.symbol} ${stream.kind}`, plainRows(stream)]),
  );
}

async function imported(folder: string, name: string, bytes: Uint8Array): Promise<Record<string, unknown[]>> {
  const file = join(folder, name);
  writeFileSync(file, bytes);
  const tape = join(folder, `${name}-tape`);
  await importFiles([file], tape);
  return rowsOf(tape);
}

test.each(Object.keys(FILES))('bars of freqtrade, packed with %s', async (codec) => {
  await withFolder(async (folder) => {
    const rows = await imported(folder, 'BTC_USDT_USDT-1m-futures.feather', Buffer.from(FILES[codec]!, 'base64'));
    expect(rows).toEqual({ 'BTCUSDT bars': BARS });
  });
});

test.each(['double', 'decimal'] as const)('what `tape export --format arrow` wrote, numbers as %s', async (numbers) => {
  await withFolder(async (folder) => {
    const csv = join(folder, 'BTCUSDT.csv');
    const trades = Array.from(
      { length: 300 },
      (_, k) => `BTCUSDT,${7 + k},${93_000.1 + k},0.00${1 + (k % 9)},${k % 3 === 0 ? 'BUY' : 'SELL'},${T + k}`,
    );
    writeFileSync(csv, ['symbol,tradeId,price,size,side,ts', ...trades, ''].join('\n'));
    const tape = join(folder, 'tape');
    await importFiles([csv], tape);
    const out = join(folder, 'arrow');
    mkdirSync(out);
    exportTape(tape, out, { format: 'arrow', numbers });
    await importFiles([join(out, 'BTCUSDT.trades.arrow')], join(folder, 'again'));
    expect(rowsOf(join(folder, 'again'))).toEqual(rowsOf(tape));
  });
});

test('blocks of an LZ4 frame that refer to the ones before', () => {
  const bytes = Buffer.alloc(64 * 1100, Buffer.from(Array.from({ length: 64 }, (_, k) => k)));
  const frame = Buffer.from(LINKED, 'base64');
  expect(Buffer.from(unpackLz4(frame, bytes.length)).equals(bytes)).toBe(true);
  // Broken anywhere, it is an error or other bytes, and ends.
  for (let at = 0; at < frame.length; at++) {
    const broken = Buffer.from(frame);
    broken[at]! ^= 0xff;
    for (const one of [broken, frame.subarray(0, at)]) {
      try {
        expect(unpackLz4(one, bytes.length).length).toBe(bytes.length);
      } catch (error) {
        expect(error).toBeInstanceOf(RangeError);
      }
    }
  }
});

test('a file that is not whole leaves nothing', async () => {
  await withFolder(async (folder) => {
    const whole = Buffer.from(FILES['lz4']!, 'base64');
    const gone = Buffer.concat([whole.subarray(0, 400), Buffer.alloc(whole.length - 400)]);
    for (const bytes of [whole.subarray(0, 200), whole.subarray(0, -30), gone])
      await expect(imported(folder, 'BTCUSDT-1m.feather', bytes)).rejects.toMatchObject({ code: 'malformed' });
    expect(readdirSync(folder)).toEqual(['BTCUSDT-1m.feather']);
  });
});
