import { create } from '@bufbuild/protobuf';
import type { ServiceImpl } from '@connectrpc/connect';

import {
  type FieldService,
  ListFields_RequestSchema,
  ListFields_ResponseSchema,
} from '#proto/gen/hiber/field_service_pb.ts';
import type { App } from '#server/app/app.ts';
import { addFields, removeFields, replaceFields } from '#server/domains/data/parser/declared.ts';
import { presentField, readFields } from '#server/domains/data/parser/fields.ts';
import { parser, parserField } from '#server/domains/data/parser/schema.ts';
import { changeParser } from '#server/domains/data/parser/write.ts';
import { scope } from '#server/session/scope.ts';
import { unitPreferencesOf } from '#server/session/unit-preferences.ts';
import { invalidArgument } from '#server/wire/errors.ts';
import { effectivePagination, page, paginationResult } from '#server/wire/pagination.ts';

import { fieldOrder, fieldWhere, withParser } from './list.ts';
import { readEnumUpdate, readNumericUpdate, readUpdate, updateField } from './update.ts';

/** The fields of devices and process points need assignments. */
type Served = Omit<ServiceImpl<typeof FieldService>, 'forAsset' | 'forModem' | 'forProcessPoint'>;

export function fieldService(app: App): Served {
  const changedFields = { columns: {}, change: { changed: ['fields'] } };
  return {
    async list(request, context) {
      const { organization } = scope(context);
      const requestedPage = page(request.pagination);
      const { orm } = app.db;
      const where = fieldWhere(organization, request.selection);
      const rows = await orm
        .select({ field: parserField, parser: { identifier: parser.identifier, name: parser.name } })
        .from(parserField)
        .innerJoin(parser, withParser)
        .where(where)
        .orderBy(...fieldOrder(request.sort))
        .limit(requestedPage.limit)
        .offset(requestedPage.offset);
      const preferences = request.applyUnitPreferences ? unitPreferencesOf(context) : undefined;
      const joined = orm.select().from(parserField).innerJoin(parser, withParser).where(where);
      return create(ListFields_ResponseSchema, {
        fields: rows.map((row) => presentField(row.field, row.parser, preferences)),
        request: create(ListFields_RequestSchema, {
          ...request,
          organization,
          pagination: effectivePagination(requestedPage),
        }),
        pagination: paginationResult(requestedPage, await orm.$count(joined.as('joined'))),
      });
    },

    async add({ parserIdentifier, fields }, context) {
      const added = readFields(fields);
      if (added.length === 0) throw invalidArgument('Specify the fields to add.');
      return changeParser(app, scope(context), parserIdentifier, async (tx, row) => {
        await addFields(tx, row, added);
        return changedFields;
      });
    },

    async replaceAll({ parserIdentifier, replaceWithFields }, context) {
      const replacement = readFields(replaceWithFields);
      return changeParser(app, scope(context), parserIdentifier, async (tx, row) => {
        await replaceFields(tx, row, replacement);
        return changedFields;
      });
    },

    async delete({ parserIdentifier, fieldIdentifiers }, context) {
      if (fieldIdentifiers.length === 0) throw invalidArgument('Specify the fields to delete.');
      return changeParser(app, scope(context), parserIdentifier, async (tx, row) => {
        await removeFields(tx, row, fieldIdentifiers);
        return changedFields;
      });
    },

    update: (request, context) =>
      updateField(app, scope(context), request.fieldIdentifier, (row) => readUpdate(row, request)),

    updateNumericDetails: ({ fieldIdentifier, update }, context) =>
      updateField(app, scope(context), fieldIdentifier, (row) => readNumericUpdate(row, update)),

    updateEnumValues: ({ fieldIdentifier, update }, context) =>
      updateField(app, scope(context), fieldIdentifier, (row) => readEnumUpdate(row, update)),
  };
}
