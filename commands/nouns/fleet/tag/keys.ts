import { create } from '@bufbuild/protobuf';

import { addTerm, intersectValues, valuesOf } from '#commands/kit/filter-keys.ts';
import { suggestTagTypes } from '#commands/kit/tag-types.ts';
import type { Context } from '#commands/model/context.ts';
import { CommandError } from '#commands/model/errors.ts';
import type { FilterKey } from '#commands/model/filter.ts';
import type { Suggestion } from '#commands/model/suggestion.ts';
import { message } from '#commands/text/message.ts';
import { Filter_TagsSchema } from '#proto/gen/hiber/filter_pb.ts';
import { TagSelectionSchema, type TagSelection } from '#proto/gen/hiber/tag_pb.ts';

import { tag, findTagIds } from './entity.ts';
import { loadTagNames, loadTagTypes, loadTagsWithoutType } from './list.ts';

interface TagKeysOptions<Selection> {
  /** The tags of the selection, which may be absent. */
  readonly tags: (selection: Selection) => { filterByTags?: TagSelection | undefined };
  /** Suggests tags for typed text, all or those of a type. */
  readonly suggest: (context: Context, text: string, type?: string) => Promise<readonly Suggestion[]>;
}

type TagKeyName = 'tag' | 'tagtype' | 'well' | 'site' | 'area';

/**
 * Returns the filter keys for the tags of items: `tag:"North field"`, `tagtype:well`, and a key for each type with its
 * own sort, as in `well:"Avocet 2"` (contract: TagService). All of them must match the same tag (contract:
 * TagSelection). Users who write two usually mean two tags, which the contract can't select, so tags that can't be the
 * same are an error.
 */
export function tagKeys<Selection>({
  tags,
  suggest,
}: TagKeysOptions<Selection>): Record<TagKeyName, FilterKey<Selection>> {
  const tagsOf = (selection: Selection): TagSelection => (tags(selection).filterByTags ??= create(TagSelectionSchema));

  async function selectType(selection: TagSelection, types: readonly string[], key: string, context: Context) {
    selection.types = intersectValues(selection.types, types, key);
    await checkTypes(selection, context);
  }

  async function checkTypes({ filter, types }: TagSelection, context: Context): Promise<void> {
    if (types.length === 0) return;
    const otherTags = await loadTagsWithoutType(context, filter?.include ?? [], types);
    if (otherTags.length === 0) return;
    throw new CommandError(message('tag:filter.otherType', { tags: otherTags.join(', '), types: types.join(', ') }));
  }

  const nameKey = (type?: string, aliases: readonly string[] = []): FilterKey<Selection> => ({
    kind: 'name',
    entity: () => tag,
    negates: true,
    presence: true,
    aliases,
    allValues: (context) => loadTagNames(context, type),
    suggest: (context, text) => suggest(context, text, type),
    apply: async (selection, term, context) => {
      const tagSelection = tagsOf(selection);
      if (type !== undefined && 'present' in term.test && !term.negated)
        return selectType(tagSelection, [type], term.key, context);
      const filter = (tagSelection.filter ??= create(Filter_TagsSchema));
      if (!term.negated && filter.include.length > 0) {
        throw new CommandError(message('tag:filter.several', { key: term.key }));
      }
      addTerm(filter, await findTagIds(term, context, type), term);
      await checkTypes(tagSelection, context);
    },
  });

  return {
    tag: nameKey(),
    tagtype: {
      kind: 'text',
      allValues: loadTagTypes,
      suggest: async (context, text) => suggestTagTypes(await loadTagTypes(context), text),
      apply: (selection, term, context) => selectType(tagsOf(selection), valuesOf(term), term.key, context),
    },
    well: nameKey('well'),
    site: nameKey('site'),
    area: nameKey('production_area', ['production-area']),
  };
}
