/** The routes of the studies, which the dashboard and the page of all bots share. What reads the files is loaded with the first call. */
import { json, refused, type WebCall, type WebHandler, type WebReply } from '../../edge/web/web-server.ts';
import type { StudiesWatch } from '../search/study/study-watch.ts';

export interface StudyRouteDeps {
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Milliseconds since 1970. */
  readonly now: () => number;
}

export function studyRoutes({ env, now }: StudyRouteDeps): Readonly<Record<'studies' | 'study', WebHandler>> {
  let watching: Promise<StudiesWatch> | null = null;
  const watch = (): Promise<StudiesWatch> =>
    (watching ??= import('../search/study/study-watch.ts').then(({ StudiesWatch }) => new StudiesWatch(env, now)));
  return {
    studies: async () => json((await watch()).list()),
    async study({ words }) {
      const found = (await watch()).study(words['id'] ?? '');
      return found === null ? refused(404, 'no-such-study', 'there is no study of this id, or its file is gone') : json(found);
    },
  };
}

/** The same where a session may be one of somebody else: parameters are not for those who only view. */
export function operatorsOnly(routes: ReturnType<typeof studyRoutes>): ReturnType<typeof studyRoutes> {
  const guarded =
    (handler: WebHandler) =>
    (call: WebCall): ReturnType<WebHandler> =>
      call.session?.role === 'operate' ? handler(call) : viewOnly();
  return { studies: guarded(routes.studies), study: guarded(routes.study) };
}

const viewOnly = (): WebReply => refused(403, 'view-only', 'this session may only view');
