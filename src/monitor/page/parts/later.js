/** Views whose modules are fetched when somebody opens them. */
import { h } from 'preact';
import { useEffect, useState } from 'preact/hooks';

/** A view that `load` brings. */
export const later = (load) => (given) => {
  const [{ View, said }, set] = useState({ View: null, said: 'It is loaded.' });
  useEffect(
    () =>
      void load().then(
        (View) => set({ View, said: '' }),
        (error) => set({ View: null, said: error.message }),
      ),
    [],
  );
  return View === null ? h('p', { class: 'empty', role: 'status' }, said) : h(View, given);
};
