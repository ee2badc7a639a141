/** The page of external events, from the table that configuration and engine read. */
import { EXTERNAL_ACTIONS, EXTERNAL_KINDS } from '../domain/external.ts';

const SCOPES = { leg: 'the leg', symbol: 'the symbol', all: 'the whole bot' } as const;

/** docs/external-events.md */
export function externalPage(): string {
  const actions = Object.entries(EXTERNAL_ACTIONS).map(([action, doc]) => `- \`${action}\`: ${doc}.`);
  const kinds = Object.entries(EXTERNAL_KINDS).map(
    ([kind, { action, scope, doc, found }]) => `| \`external.${kind}\` | \`${action}\` | ${SCOPES[scope]} | ${doc} | ${found} |`,
  );
  return `# What happens to the account that the bot did not do

<!-- made by \`npm run docs\` from src/domain/external.ts -->

A human trades by hand, the venue liquidates, money leaves. The bot finds such events by reads, because the interface has no other way.
Each kind has a policy in the configuration:

\`\`\`yaml
external: { position: adopt, equityDrop: halt, equityDropShare: "30%" }
\`\`\`

${actions.join('\n')}

Whatever the policy, the bot believes what the venue shows. It writes one log line \`external\`: the kind, the action, and a sentence with
numbers. The level is \`warn\`; under \`ignore\` it is \`info\`.

A halt survives a restart, and \`tickwright status\` lists it. Its log line is \`leg-halted\`, \`symbol-halted\` or \`opens-halted\`. That line and
every refused open name the command that lifts it.

Money that leaves also counts as a loss for the limits of loss: [limits.md](limits.md).

| key | default | what stops under \`halt\` | what happened | how it is found |
|---|---|---|---|---|
${kinds.join('\n')}

## Exits at the venue are not external

A preset stop-loss or take-profit of an own order closes a position without a command. The bot remembers which order brought which exit, also
over a restart. When a leg shrinks and no own order explains it, the bot reads the order history (E17). A closing order of the right size, at or
beyond the trigger, is the exit: the log line \`exit\` tells trigger, price, profit, fee, strategy and reason, and \`onPosition\` has the cause
\`stop-loss\` or \`take-profit\`. While the bot reads, the leg opens nothing.

A human who closes exactly the protected size, at or beyond the trigger, looks the same and is told as the exit.

## What a strategy sees

\`onPosition\` has \`cause\`: \`order\`, \`stop-loss\`, \`take-profit\`, \`liquidation\` or \`external\`. \`onExternal\` is called with the kind, the action and
the sentence, for every kind whose policy is not \`ignore\`.
`;
}
