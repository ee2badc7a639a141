/** Properties draw the same examples in each run, so that only the mutant can make one fail that holds without it. */
import fc from 'fast-check';

fc.configureGlobal({ seed: 1 });
