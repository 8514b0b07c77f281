import { entityTexts, type AnyEntity } from '#commands/core/entity';

import { useSay } from '../i18n.ts';
import { FactList } from './FactList.tsx';

/** The facts of one item, as declared. */
export function Overview({ entity, item }: { readonly entity: AnyEntity; readonly item: unknown }) {
  const say = useSay();
  return (
    <FactList
      facts={entity.facts ?? []}
      item={item}
      title={(id) => say(entityTexts.fact(entity, id))}
      className="px-4 py-3"
    />
  );
}
