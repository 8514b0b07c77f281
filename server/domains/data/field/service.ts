import { create } from '@bufbuild/protobuf';
import type { HandlerContext } from '@connectrpc/connect';

import {
  FieldService,
  ListFields_RequestSchema,
  ListFields_ResponseSchema,
  ListFieldsForAsset_RequestSchema,
  ListFieldsForAsset_ResponseSchema,
  ListFieldsForModem_RequestSchema,
  ListFieldsForModem_ResponseSchema,
  ListFieldsForProcessPoint_RequestSchema,
  ListFieldsForProcessPoint_ResponseSchema,
} from '#proto/gen/hiber/field_service_pb.ts';
import { service } from '#server/app/service.ts';
import { parser, parserField } from '#server/db/schema/parser.ts';
import { addFields, removeFields, replaceFields } from '#server/domains/data/parser/declared.ts';
import { presentField, readFields } from '#server/domains/data/parser/model/fields.ts';
import { changeParser } from '#server/domains/data/parser/write.ts';
import { type Scope, scope } from '#server/session/scope.ts';
import { unitPreferencesOf } from '#server/session/unit-preferences.ts';
import { invalidArgument } from '#server/wire/errors.ts';
import { effectivePagination, type Page, readPage, paginationResult } from '#server/wire/pagination.ts';

import { fieldOrder, fieldWhere, fieldWhereWithoutParser, withParser } from './list.ts';
import { listDeviceFields, listPointFields } from './owners.ts';
import { readEnumUpdate, readNumericUpdate, readUpdate, updateField } from './update.ts';

export const fieldService = service(FieldService, (app) => {
  const preferencesFor = (request: { readonly applyUnitPreferences?: boolean }, context: HandlerContext) =>
    request.applyUnitPreferences ? unitPreferencesOf(context) : undefined;
  const changedFields = { columns: {}, change: { changed: ['fields'] } };
  return {
    async list(request, context) {
      const { organization } = scope(context);
      const requestedPage = readPage(request.pagination);
      const { orm } = app.db;
      const page = orm
        .select({ field: parserField, parser: { identifier: parser.identifier, name: parser.name } })
        .from(parserField)
        .innerJoin(parser, withParser)
        .where(fieldWhere(organization, request.selection))
        .orderBy(...fieldOrder(request.sort))
        .limit(requestedPage.limit)
        .offset(requestedPage.offset);
      const preferences = preferencesFor(request, context);
      const [rows, total] = await Promise.all([
        page,
        orm.$count(parserField, fieldWhereWithoutParser(organization, request.selection)),
      ]);
      return create(ListFields_ResponseSchema, {
        fields: rows.map((row) => presentField(row.field, row.parser, preferences)),
        request: create(ListFields_RequestSchema, {
          ...request,
          organization,
          pagination: effectivePagination(requestedPage),
        }),
        pagination: paginationResult(requestedPage, total),
      });
    },

    async forModem(request, context) {
      const caller = scope(context);
      const requestedPage = readPage(request.pagination);
      const options = { ...request, preferences: preferencesFor(request, context) };
      const { owners, count, total } = await listDeviceFields(
        app,
        caller,
        request.modemSelection,
        options,
        requestedPage,
      );
      return create(ListFieldsForModem_ResponseSchema, {
        modemFields: owners.map(({ owner, fields }) => ({
          modem: owner.key,
          name: owner.name,
          identifier: owner.externalIds[0] ?? '',
          fields: [...fields],
        })),
        total: request.includeTotal ? [...(await total())] : [],
        request: create(ListFieldsForModem_RequestSchema, { ...request, ...echo(caller, requestedPage) }),
        pagination: paginationResult(requestedPage, count),
      });
    },

    async forProcessPoint(request, context) {
      const caller = scope(context);
      const requestedPage = readPage(request.pagination);
      const historic = request.includeHistoricFields ?? false;
      const options = { ...request, historic, preferences: preferencesFor(request, context) };
      const { owners, count, total } = await listPointFields(
        app,
        caller,
        request.processPointSelection,
        options,
        requestedPage,
      );
      return create(ListFieldsForProcessPoint_ResponseSchema, {
        processPointFields: owners.map(({ owner, fields }) => ({
          processPointIdentifier: owner.key,
          processPointName: owner.name,
          fields: [...fields],
        })),
        total: request.includeTotal ? [...(await total())] : [],
        request: create(ListFieldsForProcessPoint_RequestSchema, { ...request, ...echo(caller, requestedPage) }),
        pagination: paginationResult(requestedPage, count),
      });
    },

    /** The former name of process point fields; its selection no longer exists. */
    async forAsset(request, context) {
      const caller = scope(context);
      const requestedPage = readPage(request.pagination);
      const historic = request.includeHistoricFields ?? false;
      const options = { ...request, historic, preferences: preferencesFor(request, context) };
      const { owners, count, total } = await listPointFields(app, caller, undefined, options, requestedPage);
      return create(ListFieldsForAsset_ResponseSchema, {
        assetFields: owners.map(({ owner, fields }) => ({
          assetIdentifier: owner.key,
          assetName: owner.name,
          fields: [...fields],
        })),
        total: request.includeTotal ? [...(await total())] : [],
        request: create(ListFieldsForAsset_RequestSchema, { ...request, ...echo(caller, requestedPage) }),
        pagination: paginationResult(requestedPage, count),
      });
    },

    async add({ parserIdentifier, fields }, context) {
      const addedFields = readFields(fields);
      if (addedFields.length === 0) throw invalidArgument('Specify the fields to add.');
      return changeParser(app, scope(context), parserIdentifier, async (tx, row) => {
        await addFields(tx, row, addedFields);
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
});

const echo = ({ organization }: Scope, requestedPage: Page) => ({
  organization,
  pagination: effectivePagination(requestedPage),
});
