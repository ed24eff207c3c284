/** The API's description: OpenAPI 3.1 as JSON at /api/docs/json, and an HTML page at /api/docs. */
import type { FastifyInstance } from 'fastify';
import type { FastifyDynamicSwaggerOptions, SwaggerTransformObject } from '@fastify/swagger';
import { escapeHtml } from '../../messages/outbox/texts';

type Components = NonNullable<NonNullable<FastifyDynamicSwaggerOptions['openapi']>['components']>;

const COMPONENTS = {
  securitySchemes: {
    session: {
      type: 'http',
      scheme: 'bearer',
      bearerFormat: 'JWT',
      description:
        'Session token of the sign-in service. Writes also need X-XSRF-TOKEN, the value of the cookie XSRF-TOKEN. ' +
        "An admin's GET with X-View-As: <userName> is answered as that user, and is audited.",
    },
    token: { type: 'http', scheme: 'bearer', description: 'Watcher link or API key: reads what its scopes say.' },
  },
  schemas: {
    Problem: {
      type: 'object',
      description: 'RFC 9457',
      properties: {
        type: { type: 'string' },
        title: { type: 'string' },
        status: { type: 'integer' },
        code: { type: 'string', description: 'Stable: what a program looks at.' },
        detail: { type: 'string' },
        errors: {
          type: 'array',
          items: {
            type: 'object',
            properties: { path: { type: 'string' }, message: { type: 'string' } },
            required: ['path', 'message'],
          },
        },
      },
      required: ['type', 'title', 'status', 'code'],
    },
  },
  responses: {
    Problem: {
      description: 'Refused, or failed',
      content: { 'application/problem+json': { schema: { $ref: '#/components/schemas/Problem' } } },
    },
  },
} satisfies Components;

export const OPENAPI = { openapi: '3.1.0', info: { title: 'Mining pool', version: '1' }, components: COMPONENTS };

export const completeDocument: SwaggerTransformObject = (document) => {
  if (!('openapiObject' in document)) return document.swaggerObject;
  const { openapiObject } = document;
  for (const path of Object.values(openapiObject.paths ?? {})) {
    for (const method of ['get', 'post', 'put', 'delete'] as const) {
      const operation = path?.[method];
      if (!operation) continue;
      operation.responses = { ...operation.responses, default: { $ref: '#/components/responses/Problem' } };
    }
  }
  return openapiObject;
};

type Operation = {
  summary?: string;
  tags?: string[];
  parameters?: { name: string; in: string; required?: boolean }[];
  requestBody?: unknown;
};

function rows(paths: Record<string, Record<string, Operation>>): string {
  return Object.entries(paths)
    .flatMap(([path, operations]) =>
      Object.entries(operations).map(([method, { summary = '', tags = [], parameters = [], requestBody }]) => {
        const taken = parameters.map((p) => (p.required ? p.name : `${p.name}?`));
        if (requestBody) taken.push('{ body }');
        const call = `<code>${escapeHtml(method.toUpperCase())} ${escapeHtml(path)}</code>`;
        const cells = [call, escapeHtml(tags.join(', ')), escapeHtml(summary), escapeHtml(taken.join(', '))];
        return `<tr>${cells.map((cell) => `<td>${cell}</td>`).join('')}</tr>`;
      }),
    )
    .join('\n');
}

export function docRoutes(app: FastifyInstance): void {
  app.get('/api/docs/json', { schema: { hide: true } }, (_, reply) =>
    reply.type('application/json').send(JSON.stringify(app.swagger())),
  );
  app.get('/api/docs', { schema: { hide: true } }, (_, reply) => {
    const paths = (app.swagger().paths ?? {}) as Record<string, Record<string, Operation>>;
    return reply.type('text/html; charset=utf-8')
      .send(`<!doctype html><html lang="en"><head><meta charset="utf-8"><title>API · Mining Pool</title></head><body>
<h1>API</h1>
<p>OpenAPI: <a href="/api/docs/json">/api/docs/json</a>.
Errors are problem documents (RFC 9457) with a stable <code>code</code>.</p>
<table><thead><tr><th>Call</th><th>Subject</th><th>What</th><th>Takes</th></tr></thead><tbody>
${rows(paths)}
</tbody></table></body></html>`);
  });
}
