/** The defaults of a search where nothing else is said, by command line and by program. */
export const SEARCH_DEFAULTS = {
  by: 'sharpe',
  trials: 100,
  sampler: 'tpe',
  /** Share of the time at the end that takes no part in the search. */
  holdout: 0.3,
  /** Of a walk-forward: how often parameters are searched again. */
  folds: 5,
  /** Of a walk-forward: share of the time that the first search has. */
  train: 0.5,
} as const;
