/**
 * docs/reference/api.md: every name that the package exports, with its declaration and docstring, read by the TypeScript
 * compiler. Indicators have pages of their own, from their table.
 */
import type { Node } from 'typescript/unstable/ast';
import {
  isClassDeclaration,
  isFunctionDeclaration,
  isInterfaceDeclaration,
  isTypeAliasDeclaration,
  isVariableDeclaration,
} from 'typescript/unstable/ast/is';
import { SymbolFlags, type Checker, type Project, type Symbol } from 'typescript/unstable/sync';
import { exportsOf } from './in-project.ts';

/** What can be imported. */
const DOORS = ['src/index.ts', 'src/testing.ts', 'src/research.ts', 'src/control.ts', 'src/exchange.ts'] as const;

/** Sections of the page; each name stands in one of them. */
const SECTIONS: readonly { readonly title: string; readonly about: string; readonly names: readonly string[] }[] = [
  {
    title: 'A strategy',
    about: 'What a strategy file exports, and what it may ask for.',
    names: [
      'defineStrategy',
      'StrategyDefinition',
      'StrategyHandlers',
      'StrategyNeeds',
      'Done',
      'AnyStrategy',
      'isStrategy',
      'StrategyError',
      'SearchRun',
    ],
  },
  {
    title: 'Parameters',
    about: 'Values that a configuration or `--param` sets. Each is checked before anything runs.',
    names: ['param', 'Param', 'ParamShape', 'ParamValues', 'ParamError'],
  },
  {
    title: 'State that outlives the process',
    about: 'Fields of `ctx.state`, kept in the journal.',
    names: ['stored', 'Stored', 'StateShape', 'StateValues', 'Storable', 'StateError'],
  },
  {
    title: 'The context',
    about: 'What each handler gets as its last argument: commands, time, chance, state.',
    names: ['StrategyContext', 'OrderActions', 'TradeActions', 'ExecutionActions', 'Account', 'ScheduleRun', 'LogFields'],
  },
  {
    title: 'Markets and bars',
    about: 'What a strategy sees of a market.',
    names: ['Market', 'Position', 'OrderView', 'Trade', 'Bar', 'BarSeries', 'BarSlice'],
  },
  {
    title: 'Indicators',
    about: 'How an indicator is followed. The indicators themselves: [indicators](indicators/README.md).',
    names: ['track', 'Tracked', 'BarFed', 'Indicator', 'Candle', 'TopOfBook', 'TradePrint'],
  },
  {
    title: 'Orders',
    about: 'What the commands of the context take.',
    names: [
      'Amount',
      'BracketPrice',
      'OrderNumber',
      'OrderFields',
      'PlaceIntent',
      'LimitFields',
      'QuoteFields',
      'ModifyFields',
      'TriggerIntent',
      'SpotIntent',
    ],
  },
  {
    title: 'Managed trades',
    about: 'Entries that are looked after until they are closed.',
    names: ['EnterFields', 'ManagedTrade', 'Target', 'Rung', 'Trailing', 'TradeExit', 'TradeState'],
  },
  {
    title: 'Sizes',
    about: 'What a size may depend on.',
    names: ['SizeFields', 'Odds', 'riskSize', 'kellyFraction', 'volatilityTarget'],
  },
  {
    title: 'Executions',
    about: 'Parent orders that are worked off over time.',
    names: [
      'Execution',
      'ExecutionKind',
      'ExecutionState',
      'TwapFields',
      'IcebergFields',
      'PegFields',
      'OcoFields',
      'OcoOrder',
      'GridFields',
    ],
  },
  {
    title: 'Events',
    about: 'What the handlers are told.',
    names: [
      'OrderEvent',
      'OrderEventKind',
      'OrderState',
      'Fill',
      'PositionEvent',
      'ExternalEvent',
      'ExternalKind',
      'ExternalAction',
      'HaltEvent',
      'SignalEvent',
    ],
  },
  {
    title: 'Words',
    about: 'Texts with a fixed set of values.',
    names: [
      'SideName',
      'EffectName',
      'DirectionName',
      'OrderKindName',
      'OrderTypeName',
      'TriggerByName',
      'MarginModeName',
      'RefusalReason',
      'Reason',
    ],
  },
  {
    title: 'Tests',
    about: "`import … from 'tickwright/testing'`: [how to test a strategy](../testing.md).",
    names: [
      'testStrategy',
      'shownFault',
      'StrategyTestOptions',
      'StrategyTest',
      'MarketRow',
      'QuoteRow',
      'TradeRow',
      'BarRow',
      'VenueCommand',
      'VenueAnswer',
      'SentOrder',
      'SentCommand',
      'TestFill',
      'TestSignal',
      'LoggedLine',
      'HeldPosition',
    ],
  },
  {
    title: 'Research',
    about: "`import … from 'tickwright/research'`: [how programs use it](../programs.md).",
    names: [
      'backtest',
      'optimize',
      'walkForward',
      'loadTape',
      'readReport',
      'MarketOptions',
      'BacktestOptions',
      'SearchOptions',
      'OptimizeOptions',
      'WalkForwardOptions',
      'Moment',
      'SearchProgressNow',
      'Result',
      'RunResult',
      'SearchOutcome',
      'WalkForwardOutcome',
      'AnyResult',
      'RunColumns',
      'AnyColumns',
      'TableOptions',
      'TableFormat',
      'OpenedTape',
      'TapeColumns',
      'TapeSpan',
      'Failure',
      'FailureCode',
      'FailureKind',
      'Problem',
    ],
  },
  {
    title: 'Control',
    about: "`import … from 'tickwright/control'`: [how programs operate a bot](../programs.md#operate-a-bot).",
    names: [
      'connect',
      'ConnectOptions',
      'Role',
      'ViewedBot',
      'ReducingBot',
      'OperatedBot',
      'ActOptions',
      'AddStrategyOptions',
      'SymbolOptions',
      'FillsOptions',
      'ChangesOptions',
      'Period',
      'Time',
      'ExportedRow',
      'Refused',
    ],
  },
  {
    title: 'Exchange',
    about: "`import … from 'tickwright/exchange'`: [how any bot is tested](../programs.md#test-any-bot).",
    names: [
      'startExchange',
      'PaperExchangeOptions',
      'PaperExchange',
      'PaperAccount',
      'ExchangeState',
      'FaultPlanGiven',
      'FaultRuleGiven',
      'FaultCount',
      'LedgerLine',
      'OperatorCommandName',
      'RequestSummary',
    ],
  },
];

/** An exported name with its documentation. */
export interface ApiEntry {
  readonly name: string;
  readonly declaration: string;
  readonly doc: string;
  readonly isIndicator: boolean;
  /** Names of members without a docstring, of interfaces and of objects of functions such as `param`. */
  readonly undocumented: readonly string[];
}

/** Every exported name of the package. */
export function apiEntries(project: Project): ApiEntry[] {
  return DOORS.flatMap((door) =>
    exportsOf(project, door).map((found) => {
      const symbol = found.flags & SymbolFlags.Alias ? project.checker.getAliasedSymbol(found) : found;
      return entryOf(found.name, symbol, project);
    }),
  );
}

function entryOf(name: string, symbol: Symbol, project: Project): ApiEntry {
  const { checker } = project;
  const handle = symbol.declarations[0]!;
  const isIndicator = handle.path.includes('/src/indicators/table/');
  if (isIndicator) return { name, declaration: '', doc: '', isIndicator, undocumented: [] };
  const node = handle.resolve(project)!;
  const type = isVariableDeclaration(node)
    ? checker.getTypeOfSymbol(symbol)
    : isInterfaceDeclaration(node)
      ? checker.getDeclaredTypeOfSymbol(symbol)
      : undefined;
  const members = type === undefined ? [] : checker.getPropertiesOfType(type);
  return {
    name,
    declaration: declarationOf(node, symbol, checker),
    doc: docOf(symbol, checker),
    isIndicator,
    undocumented: members.filter((one) => docOf(one, checker) === '').map((one) => one.name),
  };
}

/** The docstring on one line, with what it says of errors. */
function docOf(symbol: Symbol, checker: Checker): string {
  const text = symbol.getDocumentationComment(checker);
  const errors = symbol.getJsDocTags(checker).filter(({ name }) => name === 'throws');
  return [text, ...errors.map((tag) => `Throws ${String(tag.text)}.`)].join(' ').replaceAll(/\s+/g, ' ').trim();
}

/** The declaration without bodies and without what is private. */
function declarationOf(node: Node, symbol: Symbol, checker: Checker): string {
  if (isFunctionDeclaration(node)) return withoutBody(node, node.body);
  if (isClassDeclaration(node)) {
    const text = node.getText();
    const head = text.slice(0, text.indexOf('{')).trim();
    const type = checker.getDeclaredTypeOfSymbol(symbol);
    const here = symbol.declarations[0]!.path;
    const isPublic = ({ name, declarations }: Symbol): boolean => !name.includes('#') && declarations.some(({ path }) => path === here);
    const own = checker.getPropertiesOfType(type).filter(isPublic);
    return shown(`${head} {\n${own.map((one) => memberOf(one, checker)).join('')}}`);
  }
  if (isVariableDeclaration(node)) {
    const members = checker.getPropertiesOfType(checker.getTypeOfSymbol(symbol)!);
    return `const ${symbol.name}: {\n${members.map((one) => memberOf(one, checker)).join('')}}`;
  }
  const text = shown(node.getText());
  if (!isTypeAliasDeclaration(node) || !/\btypeof\b/.test(text)) return text;
  return `type ${symbol.name} = ${checker.typeToString(checker.getDeclaredTypeOfSymbol(symbol))}`;
}

function memberOf(one: Symbol, checker: Checker): string {
  const doc = docOf(one, checker);
  const type = checker.typeToString(checker.getTypeOfSymbol(one)!);
  return `${doc === '' ? '' : `  /** ${doc} */\n`}  ${one.name}: ${type};\n`;
}

function withoutBody(node: Node, body: Node | undefined): string {
  const text = node.getText();
  return shown(body === undefined ? text : text.slice(0, text.length - body.getText().length));
}

function shown(text: string): string {
  return text.replace(/^export (declare )?/, '').trim();
}

/** The page. @throws RangeError if a name stands in no section, or in two */
export function apiReference(entries: readonly ApiEntry[]): string {
  const byName = new Map(entries.filter((one) => !one.isIndicator).map((one) => [one.name, one]));
  const listed = SECTIONS.flatMap(({ names }) => names);
  const wrong = [...byName.keys(), ...listed].filter((name) => !byName.has(name) || listed.filter((one) => one === name).length !== 1);
  if (wrong.length > 0)
    throw new RangeError(`expected each exported name in one section, found otherwise: ${[...new Set(wrong)].join(', ')}`);
  const sections = SECTIONS.map(({ title, about, names }) => {
    const parts = names.map((name) => {
      const { doc, declaration } = byName.get(name)!;
      return `### ${name}\n\n${doc}\n\n\`\`\`ts\n${declaration}\n\`\`\`\n`;
    });
    return `## ${title}\n\n${about}\n\n${parts.join('\n')}`;
  });
  const index = SECTIONS.map(({ title, names }) => `| ${title} | ${names.map((name) => `[${name}](#${name.toLowerCase()})`).join(' ')} |`);
  return `# API reference

Use this page to look up a name that a strategy or a program can import, with its type. Generated by \`npm run docs\` from the declarations. To learn how they are used, read
[strategies.md](../strategies.md) or [the guide](../guide/README.md).

| what | names |
|---|---|
${index.join('\n')}

${sections.join('\n')}`;
}
