import { useQuery } from '@tanstack/react-query';

import { keyOf } from '#src/data/query-client.ts';
import { useText } from '#src/i18n/i18n.ts';
import { CommandButton } from '#src/run/CommandButton.tsx';
import { contextNow } from '#src/run/context.ts';

interface RoleBandProps {
  readonly organization: string;
  /** Identifiers of the roles that the user is trying out. */
  readonly roles: readonly string[];
}

/** Shown while the user tries out fewer roles. Names these roles and offers to restore the user's own roles. */
export function RoleBand({ organization, roles }: RoleBandProps) {
  const t = useText();
  const { data: names = roles } = useQuery({
    queryKey: keyOf(organization, 'role', 'names', ...roles),
    queryFn: async () => {
      const { loadRoleNames } = await import('#commands/nouns/people/role/entity.ts');
      return loadRoleNames(contextNow(), roles);
    },
  });
  return (
    <aside
      aria-label={t('trying.label')}
      className="flex h-8 shrink-0 items-center gap-3 overflow-hidden border-b border-accent bg-selected px-3 text-label whitespace-nowrap text-ink-1"
    >
      <strong className="shrink-0 font-semibold">{t('trying.roles', { roles: names.join(', ') })}</strong>
      <span className="min-w-0 flex-1 truncate text-ink-2">{t('trying.hint')}</span>
      <CommandButton command="role.restore" className="shrink-0">
        {t('trying.restore')}
      </CommandButton>
    </aside>
  );
}
