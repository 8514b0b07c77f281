import { entityLabels, type AnyEntity } from '#commands/model/entity.ts';
import { useText, useTranslate } from '#src/i18n/i18n.ts';
import { EmptyActions } from '#src/run/EmptyActions.tsx';
import { ScreenMessage } from '#src/run/ScreenMessage.tsx';

/** Shown for an empty list, with the commands to add items. */
export function EmptyList({ entity }: { readonly entity: AnyEntity }) {
  const translate = useTranslate();
  const t = useText();
  const ids = [entity.addCommand ?? `${entity.name}.create`, ...(entity.otherAddCommands ?? [])];
  return (
    <ScreenMessage
      title={t('screen.empty', { title: translate(entity.screen?.title ?? entityLabels.many(entity)) })}
      actions={<EmptyActions actions={ids.map((id) => ({ id, args: {} }))} />}
    >
      {entity.emptyHint && translate(entityLabels.empty(entity))}
    </ScreenMessage>
  );
}
