/** Generates docs/reference/control.json: the routes of the control plane as OpenAPI, from the table of commands. */
import { TEXT_MOST } from '../base/fields.ts';
import { CONTROL_COMMANDS, routeOf } from './commands.ts';
import type { ControlField } from './control-command.ts';

export function controlOpenApi(): object {
  const paths = CONTROL_COMMANDS.map((command) => {
    const [method = '', path = ''] = routeOf(command).split(' ');
    const fields = Object.entries<ControlField>(command.fields);
    const operation = {
      operationId: command.name,
      summary: command.summary,
      description: command.does.join(' '),
      ...(command.acts ? { requestBody: bodyOf(fields) } : { parameters: fields.map(parameterOf) }),
      responses: responses(command.answers, command.shown === 'lines', command.acts),
    };
    return [path, { [method.toLowerCase()]: operation }];
  });
  return {
    openapi: '3.1.0',
    info: {
      title: 'Tickwright control plane',
      version: '1',
      description:
        'A running bot listens on control.sock in its state folder, which only its user can open. With control.port it also listens on loopback and requires the token in control.token.',
    },
    servers: [{ url: 'http://127.0.0.1:{port}', variables: { port: { default: '0', description: 'control.port of the configuration' } } }],
    security: [{ token: [] }],
    paths: Object.fromEntries(paths),
    components: { securitySchemes: { token: { type: 'http', scheme: 'bearer' } }, schemas: SCHEMAS },
  };
}

function bodyOf(fields: readonly (readonly [string, ControlField])[]): object {
  const by = { type: 'string', description: 'who gives the command, for the journal and the log' };
  const properties = Object.fromEntries([...fields.map(([name, field]) => [name, schemaOf(field)]), ['by', by]]);
  const required = fields.filter(([, field]) => field.isOptional !== true).map(([name]) => name);
  const schema = { type: 'object', properties, ...(required.length === 0 ? {} : { required }), additionalProperties: false };
  return { required: required.length > 0, content: { 'application/json': { schema } } };
}

function parameterOf([name, field]: readonly [string, ControlField]): object {
  return { name, in: 'query', required: field.isOptional !== true, description: field.doc, schema: schemaOf(field) };
}

function schemaOf(field: ControlField): object {
  const description = field.doc;
  switch (field.kind) {
    case 'whole':
      return { type: 'integer', minimum: field.min, maximum: field.max, description };
    case 'word':
      return { type: 'string', enum: field.words, description };
    case 'flag':
      return { type: 'boolean', description };
    default:
      return { type: 'string', maxLength: (field.kind === 'text' ? field.most : undefined) ?? TEXT_MOST, description };
  }
}

function responses(answers: string, isStream: boolean, acts: boolean): object {
  const schema = acts ? { $ref: '#/components/schemas/Act' } : { type: 'object' };
  const content = isStream ? { 'application/x-ndjson': { schema: { type: 'string' } } } : { 'application/json': { schema } };
  const refusal = (description: string): object => ({
    description,
    content: { 'application/json': { schema: { $ref: '#/components/schemas/Refusal' } } },
  });
  return {
    200: { description: answers, content },
    400: refusal('The request is invalid; the message says where.'),
    401: refusal('Over HTTP: the token is missing or wrong.'),
    409: refusal('The bot refused the command; nothing was changed.'),
    503: refusal('The bot is starting.'),
  };
}

const SCHEMAS = {
  Act: {
    type: 'object',
    required: ['ok', 'command', 'did', 'open', 'isDone'],
    properties: {
      ok: { type: 'boolean', const: true },
      command: { type: 'string' },
      did: { type: 'array', items: { type: 'string' }, description: 'what was done, one sentence per entry' },
      open: { type: 'array', items: { type: 'string' }, description: 'what was started but is not finished' },
      isDone: { type: 'boolean' },
    },
  },
  Refusal: {
    type: 'object',
    required: ['ok', 'code', 'message', 'hint'],
    properties: {
      ok: { type: 'boolean', const: false },
      code: { type: 'string' },
      message: { type: 'string' },
      hint: { type: 'string' },
    },
  },
};
