import { commandLabels } from '#commands/model/command.ts';
import type { Args } from '#commands/model/invocation.ts';
import { availability, isHidden } from '#commands/run/availability.ts';
import { useTranslate, useText } from '#src/i18n/i18n.ts';
import { useKeyHints } from '#src/keymap/bindings.ts';
import { directory } from '#src/registry/registry.ts';
import { invoke } from '#src/run/invoke.ts';
import { useCommandContext } from '#src/run/use-context.ts';
import type { UserSession } from '#src/state/user-session.ts';
import { UserAvatar } from '#src/ui/Avatar.tsx';
import { initials } from '#src/ui/initials.ts';
import { Menu, type MenuItem } from '#src/ui/overlays/Menu.tsx';

/** The menu's commands, in groups. A command that needs a value prompts for it in the palette. */
const GROUPS: readonly (readonly { readonly id: string; readonly args?: Args }[])[] = [
  [{ id: 'me.profile' }, { id: 'me.preferences' }, { id: 'me.email-preferences' }, { id: 'sign-in.list' }],
  [{ id: 'app.theme' }, { id: 'app.density' }, { id: 'app.language' }],
  [{ id: 'app.help' }, { id: 'help.tour' }, { id: 'me.help-desk' }],
  [{ id: 'organization.return' }, { id: 'me.sign-out' }],
];

export interface AccountMenuProps {
  readonly session: UserSession;
}

/** The signed-in user's menu, which opens from their avatar. */
export function AccountMenu({ session }: AccountMenuProps) {
  const translate = useTranslate();
  const t = useText();
  const keys = useKeyHints();
  const context = useCommandContext();
  const { name, email } = session.actor;
  const groups = GROUPS.map((group) =>
    group.flatMap(({ id, args = {} }): readonly MenuItem[] => {
      const command = directory().command(id);
      if (!command || !context || isHidden(command, context)) return [];
      const state = availability(command, context);
      // Hide the command to return while the user is in their own organization.
      if (!state.ok && state.reason.code === 'blocked') return [];
      return [
        {
          id,
          label: translate(commandLabels.title(command)),
          keys: keys(command),
          ...(state.ok ? {} : { reason: translate(state.reason.message) }),
          onChoose: () => void invoke({ id, args }),
        },
      ];
    }),
  ).filter((group) => group.length > 0);
  return (
    <Menu
      label={t('shell.you', { name: name || email, initials: initials(name, email) })}
      button={<UserAvatar name={name} email={email} />}
      head={
        <>
          <p className="truncate font-semibold">{name || email}</p>
          {name && <p className="truncate text-label text-ink-2">{email}</p>}
          {session.organization.name && <p className="truncate text-label text-ink-3">{session.organization.name}</p>}
        </>
      }
      groups={groups}
    />
  );
}
