import { useRef, type ComponentProps, type ReactNode, type RefObject } from 'react';

import { entityLabels, type AnyEntity } from '#commands/model/entity.ts';
import { useTranslate, useText } from '#src/i18n/i18n.ts';
import { useKeyHints } from '#src/keymap/bindings.ts';
import { directory } from '#src/registry/registry.ts';
import { cx } from '#src/ui/cx.ts';
import { Kbd } from '#src/ui/Kbd.tsx';
import { useScrollEdges } from '#src/ui/scroll-edges.ts';

const useEditKeys = () => useKeyHints()(directory().command('view.edit-filter'));

interface FilterFrameProps {
  readonly entity: AnyEntity;
  readonly field: RefObject<HTMLInputElement | null>;
  /** The chips and the field. */
  readonly terms: ReactNode;
  readonly clearButton?: ReactNode;
  /** The number of matching rows, if known. */
  readonly total: number | undefined;
  /** True if the total still belongs to the previous filter. */
  readonly isStale?: boolean | undefined;
  /** Explains the total. */
  readonly totalNote?: ReactNode;
  /** The list below the line. */
  readonly children?: ReactNode;
}

/** The layout of the filter line. A click anywhere in it moves to the field. */
export function FilterFrame({
  entity,
  field,
  terms,
  clearButton,
  total,
  isStale: stale = false,
  totalNote,
  children,
}: FilterFrameProps) {
  const translate = useTranslate();
  const t = useText();
  const editKeys = useEditKeys();
  const strip = useRef<HTMLDivElement>(null);
  useScrollEdges(strip);
  return (
    <search className="relative shrink-0 border-b border-line">
      <div
        className="flex h-filter items-center gap-2 px-3 outline-offset-[-1px] outline-accent has-[input:focus]:outline"
        onMouseDown={(event) => {
          if (event.target === field.current) return;
          event.preventDefault();
          field.current?.focus();
        }}
      >
        {editKeys && <Kbd framed keys={editKeys.text} />}
        <div
          ref={strip}
          className="faded-edges flex min-w-0 flex-1 items-center gap-1.5 overflow-x-auto [scrollbar-width:none]"
        >
          {terms}
        </div>
        {clearButton}
        {total !== undefined && (
          <span role="status" className="whitespace-nowrap text-ink-2">
            {stale ? t('filter.loading') : translate(entityLabels.count(entity, total))}
          </span>
        )}
        {total !== undefined && !stale && totalNote}
      </div>
      {children}
    </search>
  );
}

interface FilterFieldProps extends ComponentProps<'input'> {
  readonly entity: AnyEntity;
  readonly hasChips?: boolean;
  /** The id of the open list below the line. */
  readonly listId?: string | undefined;
}

/** The field at the end of the filter line. */
export function FilterField({ entity, listId, hasChips = false, className, ...attributes }: FilterFieldProps) {
  const translate = useTranslate();
  const t = useText();
  return (
    <input
      role="combobox"
      aria-label={t('filter.label', { title: translate(entityLabels.title(entity)) })}
      aria-expanded={listId !== undefined}
      aria-controls={listId}
      aria-autocomplete="list"
      {...useEditKeys()?.attributes}
      autoComplete="off"
      spellCheck={false}
      placeholder={hasChips ? undefined : t('filter.placeholder')}
      className={cx(
        'type-mono h-6 min-w-24 flex-1 bg-transparent text-ink-1 outline-none placeholder:text-ink-3',
        className,
      )}
      {...attributes}
    />
  );
}
