import { Link } from '@tanstack/react-router';

import { useText } from '#src/i18n/i18n.ts';
import { cx } from '#src/ui/cx.ts';

interface KindLinksProps {
  readonly listPath: string;
  readonly isSimple: boolean;
}

/** The two ways to make a parser: as a definition, or field by field. Each keeps its own draft. */
export function KindLinks({ listPath, isSimple }: KindLinksProps) {
  const t = useText('parser');
  const kinds = [
    { id: 'definition', path: 'create', isCurrent: !isSimple },
    { id: 'fields', path: 'create/simple', isCurrent: isSimple },
  ];
  return (
    <nav aria-label={t('builder.kinds')} className="flex h-[30px] shrink-0 gap-1 border-b border-line px-2">
      {kinds.map(({ id, path, isCurrent }) => (
        <Link
          key={id}
          to="/$"
          params={{ _splat: `${listPath.slice(1)}/${path}` }}
          aria-current={isCurrent ? 'page' : undefined}
          className={cx(
            'flex items-center border-b-2 px-1.5 whitespace-nowrap',
            isCurrent ? 'border-accent font-medium text-ink-1' : 'border-transparent text-ink-2 hover:text-ink-1',
          )}
        >
          {t(`builder.kind.${id}`)}
        </Link>
      ))}
    </nav>
  );
}
