import { create } from '@bufbuild/protobuf';

import { LocationSchema } from '#proto/gen/hiber/base_pb.ts';
import { Tag_LabelSchema, type UpdateTagRequest } from '#proto/gen/hiber/tag_pb.ts';
import type { Context } from '#commands/model/context.ts';
import type { EditableField } from '#commands/kit/edit-command.ts';
import type { ArgValue } from '#commands/model/arg-value.ts';
import { message } from '#commands/text/message.ts';
import { p } from '#commands/model/params.ts';
import { LONGEST } from '#commands/text/lengths.ts';
import { TAG_TYPES, suggestTagTypes, tagTypeText } from '#commands/kit/tag-types.ts';
import type { TagItem } from './item.ts';
import { locationText, parsePoint } from './location.ts';

export interface TagField extends EditableField<TagItem> {
  write(update: UpdateTagRequest, value: ArgValue): void;
}

function label(update: UpdateTagRequest) {
  return (update.update ??= create(Tag_LabelSchema));
}

/** Params that creating and editing share. */
export const tagParams = {
  type: p.text({
    suggest: async (_context, text) => suggestTagTypes(TAG_TYPES, text),
    check: (value, { actor }: Context) =>
      TAG_TYPES.includes(value) || actor.abilities.has('CUSTOM_TAGS')
        ? undefined
        : message('tag:validation.type', { value, types: TAG_TYPES.join(', ') }),
  }),
  priority: p.number({ integer: true, min: -2_147_483_648, max: 2_147_483_647 }),
  location: p.text({
    clears: true,
    placeholder: '52.9124, 6.5581',
    check: (value) => (value === '' || parsePoint(value) ? undefined : message('tag:validation.location', { value })),
  }),
};

export const tagFields = {
  name: {
    param: p.text({
      maxLength: LONGEST.tagName,
      check: (value) => (value.trim() ? undefined : message('core:validation.required')),
    }),
    now: ({ tag }) => tag.label?.name ?? '',
    write: (update, value) => (label(update).name = (value as string).trim()),
  },
  type: {
    param: tagParams.type,
    now: ({ tag }) => tag.label?.type ?? '',
    text: (value) => tagTypeText(value as string),
    write: (update, value) => (label(update).type = value as string),
  },
  priority: {
    param: tagParams.priority,
    now: ({ tag }) => tag.priority ?? 0,
    write: (update, value) => (update.priority = value as number),
  },
  location: {
    param: tagParams.location,
    // An area or a shape cannot be typed, so it cannot be put back either.
    now: ({ tag }) => {
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
} as const satisfies Readonly<Record<string, TagField>>;
