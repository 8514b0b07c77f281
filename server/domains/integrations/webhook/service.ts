import { create } from '@bufbuild/protobuf';
import type { HandlerContext } from '@connectrpc/connect';
import { and, eq, sql } from 'drizzle-orm';

import type { Webhook } from '#proto/gen/hiber/webhook_pb.ts';
import {
  DeleteWebhookRequest_ResponseSchema,
  ListWebhooksRequest_ResponseSchema,
  ListWebhooksRequestSchema,
  type UpdateWebhooksRequest_Update,
  UpdateWebhooksRequest_ResponseSchema,
  UpdateWebhooksRequestSchema,
  UpdateWebhookTagsRequest_ResponseSchema,
  WebhookHistoryRequest_ResponseSchema,
  WebhookHistoryRequestSchema,
  WebhookService,
} from '#proto/gen/hiber/webhook_pb.ts';
import { service } from '#server/app/service.ts';
import { publisher, publisherCall } from '#server/db/schema/publisher.ts';
import { webhookTag } from '#server/db/schema/tag.ts';
import { readTagChange } from '#server/domains/fleet/tag/item-tags.ts';
import { recordEvents } from '#server/events/record.ts';
import { publisherDeleted, publisherUpdated } from '#server/publishing/publisher-events.ts';
import { blankHeaders } from '#server/publishing/targets/webhook/headers.ts';
import { presentWebhooks } from '#server/publishing/targets/webhook/present.ts';
import { selectWebhooks, webhooks } from '#server/publishing/targets/webhook/rows.ts';
import { webhookData, webhookSubject } from '#server/publishing/targets/webhook/subject.ts';
import { type Scope, scope } from '#server/session/scope.ts';
import { invalidArgument, notFound } from '#server/wire/errors.ts';
import { effectivePagination, readPage, paginationResult } from '#server/wire/pagination.ts';

import { changeWebhook } from './apply.ts';
import { createWebhook } from './create.ts';
import { lockWebhooks, webhookOrder, webhookWhere } from './find.ts';
import { listCalls } from './history.ts';
import { readFilterUpdate, readUpdate, type WebhookChange } from './settings.ts';
import { visibleCall } from './visible-call.ts';

export const webhookService = service(WebhookService, (app) => {
  /** Applies either all changes or none, in order. Several changes can affect the same webhook. */
  async function applyChanges(
    caller: Scope,
    changes: readonly { id: bigint; change: WebhookChange }[],
  ): Promise<Webhook[]> {
    const ids = changes.map(({ id }) => id);
    return app.db.transaction(async (tx) => {
      await lockWebhooks(tx, caller.organization, ids);
      for (const { id, change } of changes) {
        const row = (await lockWebhooks(tx, caller.organization, [id])).get(Number(id));
        if (row) await changeWebhook(tx, app, caller, row, change);
      }
      return presentWebhooks(tx, caller.organization, [...new Set(ids.map(Number))], app.now());
    });
  }

  async function applyChange(context: HandlerContext, id: bigint, change: WebhookChange): Promise<Webhook> {
    const [changed] = await applyChanges(scope(context), [{ id, change }]);
    if (!changed) throw webhookNotFound(scope(context), id);
    return changed;
  }

  return {
    async list(request, context) {
      const caller = scope(context);
      const { organization } = caller;
      const requestedPage = readPage(request.pagination);
      const now = app.now();
      const where = webhookWhere(caller, request.selection, now);
      const { orm } = app.db;
      const rows = await selectWebhooks(orm)
        .where(where)
        .orderBy(...webhookOrder(request.sort, now))
        .limit(requestedPage.limit)
        .offset(requestedPage.offset);
      const ids = rows.map(({ id }) => id);
      // The database counts while this process presents the webhooks.
      const [messages, total] = await Promise.all([
        presentWebhooks(orm, organization, ids, now),
        orm.$count(webhooks, where),
      ]);
      return create(ListWebhooksRequest_ResponseSchema, {
        webhooks: messages,
        request: create(ListWebhooksRequestSchema, {
          ...request,
          organization,
          pagination: effectivePagination(requestedPage),
        }),
        pagination: paginationResult(requestedPage, total),
      });
    },

    async get({ id }, context) {
      const caller = scope(context);
      const [message] = await presentWebhooks(app.db.orm, caller.organization, [Number(id)], app.now());
      if (!message) throw webhookNotFound(caller, id);
      return message;
    },

    async history(request, context) {
      const caller = scope(context);
      const { organization } = caller;
      const id = Number(request.webhookId);
      const [message] = await presentWebhooks(app.db.orm, organization, [id], app.now());
      if (!message) throw webhookNotFound(caller, request.webhookId);
      const requestedPage = readPage(request.pagination);
      const history = await listCalls(app.db.orm, { organization, id }, request.selection, requestedPage, app.now());
      return create(WebhookHistoryRequest_ResponseSchema, {
        ...history,
        calls: history.calls.map((call) => visibleCall(caller, call)),
        request: create(WebhookHistoryRequestSchema, {
          ...request,
          organization,
          pagination: effectivePagination(requestedPage),
        }),
      });
    },

    create: (request, context) => createWebhook(app, scope(context), request),

    enable: ({ id }, context) => applyChange(context, id, { active: true }),
    disable: ({ id }, context) => applyChange(context, id, { active: false }),
    updateFilter: (request, context) => applyChange(context, request.id, readFilterUpdate(request)),

    async update({ id, update }, context) {
      if (!update) throw invalidArgument('Specify what to update.');
      return applyChange(context, id, readUpdate(update));
    },

    async updateWebhooks(request, context) {
      const caller = scope(context);
      const changes = request.webhookUpdates.map(({ id, update }) => ({
        id,
        change: update ? readUpdate(update) : {},
      }));
      return create(UpdateWebhooksRequest_ResponseSchema, {
        webhooks: await applyChanges(caller, changes),
        request: create(UpdateWebhooksRequestSchema, {
          organization: caller.organization,
          webhookUpdates: request.webhookUpdates.map(withoutSecret),
        }),
      });
    },

    async updateTags(request, context) {
      const caller = scope(context);
      const { organization } = caller;
      const now = app.now();
      const webhooks = await app.db.transaction(async (tx) => {
        const ids = [...(await lockWebhooks(tx, organization, request.webhookIds)).keys()];
        const { add, remove } = await readTagChange(tx, caller, request.update);
        const idsParam = sql.param(ids);
        await tx.execute(sql`
          delete from webhook_tag where organization = ${organization} and webhook = any(${idsParam}::bigint[])
            and tag = any(${sql.param(remove.map(({ id }) => id))}::bigint[])`);
        const rows = ids.flatMap((id) => add.map((tag) => ({ organization, webhook: id, tag: tag.id })));
        if (rows.length > 0) await tx.insert(webhookTag).values(rows).onConflictDoNothing();
        const changedWebhooks = await presentWebhooks(tx, organization, ids, now);
        if (add.length + remove.length > 0) {
          await recordEvents(
            tx,
            changedWebhooks.map((message) =>
              publisherUpdated(webhookSubject(message), now, { data: webhookData({}), changed: ['tags'] }),
            ),
          );
        }
        return changedWebhooks;
      });
      return create(UpdateWebhookTagsRequest_ResponseSchema, { webhooks });
    },

    /** Deletes the webhook with its outbox entries and its history. */
    async delete({ id }, context) {
      const { organization } = scope(context);
      await app.db.transaction(async (tx) => {
        await lockWebhooks(tx, organization, [id]);
        const [message] = await presentWebhooks(tx, organization, [Number(id)], app.now());
        await tx.delete(publisher).where(and(eq(publisher.organization, organization), eq(publisher.id, Number(id))));
        await tx
          .delete(publisherCall)
          .where(and(eq(publisherCall.organization, organization), eq(publisherCall.publisher, Number(id))));
        if (message) await recordEvents(tx, [publisherDeleted(webhookSubject(message), app.now())]);
      });
      return create(DeleteWebhookRequest_ResponseSchema);
    },
  };
});

/** Blanks out the secrets in the request that is returned because no response may include a secret. */
function withoutSecret(change: UpdateWebhooksRequest_Update): UpdateWebhooksRequest_Update {
  const { update } = change;
  if (!update) return change;
  const { secret, deprecatedSecret } = update;
  return {
    ...change,
    update: {
      ...update,
      secret: secret === undefined ? undefined : '',
      deprecatedSecret: deprecatedSecret && { ...deprecatedSecret, value: '' },
      addCustomHeaders: blankHeaders(update.addCustomHeaders),
      replaceCustomHeaders: blankHeaders(update.replaceCustomHeaders),
    },
  };
}

const webhookNotFound = ({ organization }: Scope, id: bigint) =>
  notFound(`${organization} has no webhook with id ${id}.`);
