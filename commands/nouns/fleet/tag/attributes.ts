import { create } from '@bufbuild/protobuf';

import { attributes } from '#commands/kit/attributes.ts';
import type { EditableField } from '#commands/kit/edit-command.ts';
import { addTerm, stripIdPrefix, intersectValues, valuesOf } from '#commands/kit/filter-keys.ts';
import { locationParam, parsePoint } from '#commands/kit/location.ts';
import { TAG_TYPES, suggestTagTypes, tagTypeText } from '#commands/kit/tag-types.ts';
import type { ArgValue } from '#commands/model/arg-value.ts';
import type { Context } from '#commands/model/context.ts';
import { p } from '#commands/model/params.ts';
import { readId } from '#commands/run/integers.ts';
import { MAX_LENGTH } from '#commands/text/lengths.ts';
import { message, type Message } from '#commands/text/message.ts';
import { nearestNames } from '#commands/text/near.ts';
import { LocationSchema } from '#proto/gen/hiber/base_pb.ts';
import { Filter_TagsSchema } from '#proto/gen/hiber/filter_pb.ts';
import { Tag_LabelSchema, type TagSelection, type UpdateTagRequest } from '#proto/gen/hiber/tag_pb.ts';

import { nameOf, typeOf, type TagItem } from './item.ts';
import { suggestTagNames, loadTagNames, loadTagTypes } from './list.ts';
import { locationText } from './location.ts';

/** A field of a tag that can write a value into an update. */
interface TagField extends EditableField<TagItem> {
  write(update: UpdateTagRequest, value: ArgValue): void;
}

function ensureLabel(update: UpdateTagRequest) {
  return (update.update ??= create(Tag_LabelSchema));
}

function typeProblem(value: string): Message {
  const nearMatches = nearestNames(value, TAG_TYPES);
  if (nearMatches.length > 0) return message('tag:validation.typeNear', { value, near: nearMatches.join(', ') });
  return message('tag:validation.type', { value, types: TAG_TYPES.join(', ') });
}

/** Params shared by the create and edit commands. */
export const tagParams = {
  type: p.text({
    suggest: async (_context, text) => suggestTagTypes(TAG_TYPES, text),
    check: (value, { actor }: Context) =>
      TAG_TYPES.includes(value) || actor.abilities.has('CUSTOM_TAGS') ? undefined : typeProblem(value),
  }),
  priority: p.number({ integer: true, min: -2_147_483_648, max: 2_147_483_647 }),
  location: locationParam,
};

export const tagAttributes = attributes<TagItem, TagSelection, TagField>({
  name: {
    kind: 'text',
    value: nameOf,
    column: { width: 240, grow: 2, sort: 'name' },
    detail: 'identity',
    edit: 'tag.rename',
    field: {
      param: p.text({
        maxLength: MAX_LENGTH.tagName,
        check: (value) => (value.trim() ? undefined : message('core:validation.required')),
      }),
      current: nameOf,
      write: (update, value) => (ensureLabel(update).name = (value as string).trim()),
    },
    filter: {
      kind: 'text',
      allValues: loadTagNames,
      suggest: suggestTagNames,
      apply: (selection, term) => {
        selection.names = intersectValues(selection.names, valuesOf(term), term.key);
      },
    },
  },
  type: {
    kind: 'text',
    value: (item) => tagTypeText(typeOf(item)),
    column: { width: 140, sort: 'type' },
    detail: 'about',
    edit: 'tag.edit',
    field: {
      param: tagParams.type,
      current: typeOf,
      text: (value) => tagTypeText(value as string),
      write: (update, value) => (ensureLabel(update).type = value as string),
    },
    filter: {
      kind: 'text',
      allValues: loadTagTypes,
      suggest: async (context, text) => suggestTagTypes(await loadTagTypes(context), text),
      apply: (selection, term) => {
        selection.types = intersectValues(selection.types, valuesOf(term), term.key);
      },
    },
  },
  devices: {
    kind: 'number',
    value: ({ devices }) => `${devices}`,
    column: { width: 90, sort: 'devices' },
    detail: 'use',
  },
  webhooks: {
    kind: 'number',
    value: ({ webhooks }) => `${webhooks}`,
    column: { width: 90, sort: 'webhooks' },
    detail: 'use',
  },
  processPoints: {
    kind: 'number',
    value: ({ processPoints }) => `${processPoints}`,
    column: { width: 110, sort: 'process-points' },
    detail: 'use',
  },
  priority: {
    kind: 'number',
    value: ({ tag }) => tag.priority?.toString(),
    column: { width: 80, sort: 'priority' },
    detail: 'about',
    edit: 'tag.edit',
    field: {
      param: tagParams.priority,
      current: ({ tag }) => tag.priority ?? 0,
      write: (update, value) => (update.priority = value as number),
    },
  },
  location: {
    kind: 'mono',
    value: ({ tag }) => locationText(tag),
    column: { width: 220, grow: 1 },
    detail: 'about',
    edit: 'tag.edit',
    field: {
      param: tagParams.location,
      // Undo can't restore an area or a shape, because neither can be entered as text.
      current: ({ tag }) => {
        const kind = tag.metadata?.location.case;
        return kind === 'locationArea' || kind === 'locationShape' ? undefined : (locationText(tag) ?? '');
      },
      write: (update, value) => {
        const point = parsePoint(value as string);
        update.location = point
          ? { case: 'locationPoint', value: create(LocationSchema, point) }
          : { case: 'removeLocation', value: true };
      },
    },
  },
  id: {
    kind: 'mono',
    value: ({ tag }) => `#${tag.id}`,
    column: { width: 70 },
    detail: 'about',
    filter: {
      kind: 'number',
      canonical: stripIdPrefix,
      negates: true,
      apply: (selection, term) =>
        addTerm((selection.filter ??= create(Filter_TagsSchema)), valuesOf(term).map(readId), term),
    },
  },
});
