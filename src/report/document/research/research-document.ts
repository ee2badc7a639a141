/** Any result of research as a document. */
import type { CapacityResult } from '../../research/capacity-result.ts';
import type { CrossValidationResult } from '../../research/cross-validation-result.ts';
import type { MonteCarloResult } from '../../research/monte-carlo-result.ts';
import type { SearchResult } from '../../research/search-result.ts';
import type { WalkForwardResult } from '../../research/walk-forward-result.ts';
import type { Document } from '../document.ts';
import { capacityDocument } from './capacity-document.ts';
import { crossValidationDocument } from './cross-validation-document.ts';
import { monteCarloDocument } from './monte-carlo-document.ts';
import { searchDocument } from './search-document.ts';
import { walkForwardDocument } from './walk-forward-document.ts';

export type ResearchResult = SearchResult | WalkForwardResult | CrossValidationResult | MonteCarloResult | CapacityResult;

export function researchDocument(result: ResearchResult): Document {
  switch (result.kind) {
    case 'search':
      return searchDocument(result);
    case 'walk-forward':
      return walkForwardDocument(result);
    case 'cross-validation':
      return crossValidationDocument(result);
    case 'monte-carlo':
      return monteCarloDocument(result);
    case 'capacity':
      return capacityDocument(result);
  }
}
