import { act, cleanup, fireEvent, render, screen, waitFor } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { Provider } from 'jotai';
import { afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';

import { showGadgets } from '#src/palette/testkit/show-gadgets.ts';
import { usePanel } from '#src/panel/Panel.tsx';
import { loadAll } from '#src/registry/registry.ts';
import { enterOrganization } from '#src/session/organization.ts';
import { formAtom } from '#src/state/layers.ts';
import { store } from '#src/state/store.ts';
import { toasts } from '#src/state/toasts.ts';
import { userSessionAtom, type UserSession } from '#src/state/user-session.ts';

vi.mock('#src/registry/loaders.ts', async () => (await import('#src/palette/testkit/registry.ts')).loaders);
beforeAll(loadAll);

beforeEach(() => showGadgets({ target: { query: 'state:ERROR' }, count: 2 }));
afterEach(cleanup);

describe('a command form', () => {
  test('shows a refused text in a list of choices instead of a choice', async () => {
    const Panel = () => usePanel({ top: undefined, tab: undefined });
    render(<Provider store={store}>{<Panel />}</Provider>);
    act(() => store.set(formAtom, { id: 'gadget.mark', args: {}, typed: { state: '][' } }));
    const state = await screen.findByRole<HTMLSelectElement>('combobox', { name: /^State/ });
    expect(state.selectedOptions[0]?.textContent).toBe('][');
    expect(state.getAttribute('aria-invalid')).toBe('true');
    act(() => store.set(formAtom, undefined));
  });

  test('keeps entered values when another screen renders it', async () => {
    function ScreenWithPanel({ screen: name }: { readonly screen: string }) {
      return <section key={name}>{usePanel({ top: undefined, tab: undefined })}</section>;
    }
    const screenWithPanel = (name: string) => (
      <Provider store={store}>
        <ScreenWithPanel screen={name} />
      </Provider>
    );
    store.set(formAtom, { id: 'gadget.build', args: {} });
    const { rerender } = render(screenWithPanel('gadgets'));
    fireEvent.change(await screen.findByRole('textbox', { name: /^Name/ }), { target: { value: 'plum' } });
    rerender(screenWithPanel('widgets'));
    expect(screen.getByRole<HTMLInputElement>('textbox', { name: /^Name/ }).value).toBe('plum');
    act(() => store.set(formAtom, undefined));
    act(() => store.set(formAtom, { id: 'gadget.build', args: {} }));
    expect((await screen.findByRole<HTMLInputElement>('textbox', { name: /^Name/ })).value).toBe('');
    act(() => store.set(formAtom, undefined));
  });

  describe('when the session ends', () => {
    const renderPanel = () => {
      const Panel = () => usePanel({ top: undefined, tab: undefined });
      return render(<Provider store={store}>{<Panel />}</Provider>);
    };
    const currentSession = () => store.get(userSessionAtom)!;
    const nameField = () => screen.findByRole<HTMLInputElement>('textbox', { name: /^Name/ });
    const signOutAndIn = (next: UserSession): void => {
      act(() => enterOrganization(undefined));
      expect(screen.queryByRole('textbox')).toBeNull();
      act(() => enterOrganization(next));
    };
    afterEach(() => act(() => store.set(formAtom, undefined)));

    test('comes back with its values, valid or not, when the same user signs in again', async () => {
      renderPanel();
      const me = currentSession();
      act(() => store.set(formAtom, { id: 'gadget.build', args: {} }));
      const user = userEvent.setup();
      await user.type(await nameField(), 'plum');
      await user.type(screen.getByRole('combobox', { name: /^Parent/ }), 'nothing like it{Enter}');
      for (let round = 0; round < 2; round++) {
        signOutAndIn(me);
        expect((await nameField()).value).toBe('plum');
        expect(screen.getByRole<HTMLInputElement>('combobox', { name: /^Parent/ }).value).toBe('nothing like it');
      }
    });

    test('keeps its target when another row becomes active', async () => {
      renderPanel();
      const me = currentSession();
      act(() => store.set(formAtom, { id: 'gadget.describe', args: { gadgets: { ids: ['AAAA BBBB'] } } }));
      await userEvent.setup().type(await nameField(), ' 2');
      act(() => enterOrganization(undefined));
      showGadgets({ active: 'CCCC DDDD' });
      act(() => enterOrganization(me));
      expect((await nameField()).value).toBe('North pump 2');
      expect(store.get(formAtom)?.args['gadgets']).toEqual({ ids: ['AAAA BBBB'] });
    });

    test('does not come back for another user, in another organization, or without input', async () => {
      renderPanel();
      const me = currentSession();
      const open = async (text: string) => {
        act(() => store.set(formAtom, { id: 'gadget.build', args: {} }));
        const field = await nameField();
        if (text) fireEvent.change(field, { target: { value: text } });
      };
      await open('');
      signOutAndIn(me);
      expect(store.get(formAtom)).toBeUndefined();

      await open('plum');
      signOutAndIn({ ...me, organization: { ...me.organization, id: 'elsewhere' } });
      expect(store.get(formAtom)).toBeUndefined();
      act(() => enterOrganization(me));
      expect((await nameField()).value).toBe('plum');

      signOutAndIn({ ...me, actor: { ...me.actor, id: 'somebody' } });
      expect(store.get(formAtom)).toBeUndefined();
      act(() => enterOrganization(me));
      expect(store.get(formAtom)).toBeUndefined();
    });

    test('comes back after the user switched to another organization and back', async () => {
      renderPanel();
      const me = currentSession();
      act(() => store.set(formAtom, { id: 'gadget.build', args: {} }));
      await userEvent.setup().type(await nameField(), 'plum');
      act(() => enterOrganization({ ...me, organization: { ...me.organization, id: 'elsewhere' } }));
      expect(store.get(formAtom)).toBeUndefined();
      expect(toasts.list().at(-1)?.title).toBe('What you typed is kept until you return to Northwind Energy.');
      act(() => enterOrganization(me));
      expect((await nameField()).value).toBe('plum');
    });
  });

  test('offers to restore entered values of a closed form, but not of a saved one', async () => {
    const Panel = () => usePanel({ top: undefined, tab: undefined });
    render(<Provider store={store}>{<Panel />}</Provider>);
    const offers = () => toasts.list().filter(({ action }) => action?.label === 'Keep editing');
    const show = (id: string) => act(() => store.set(formAtom, { id, args: {} }));
    const nameField = () => screen.findByRole<HTMLInputElement>('textbox', { name: /^Name/ });
    show('gadget.build');
    await nameField();
    show('gadget.mark');
    await screen.findByRole('combobox', { name: /^State/ });
    expect(offers()).toEqual([]);

    show('gadget.build');
    fireEvent.change(await nameField(), { target: { value: 'plum' } });
    show('gadget.mark');
    await waitFor(() => expect(offers()).toHaveLength(1));
    act(() => offers()[0]?.action?.run());
    expect((await nameField()).value).toBe('plum');

    fireEvent.keyDown(await nameField(), { key: 'Escape' });
    await waitFor(() => expect(offers()).toHaveLength(2));
    act(() => offers()[0]?.action?.run());
    expect((await nameField()).value).toBe('plum');
    fireEvent.submit((await nameField()).form as HTMLFormElement);
    await waitFor(() => expect(screen.queryByRole('textbox', { name: /^Name/ })).toBeNull());
    expect(offers()).toHaveLength(2);
  });
});
