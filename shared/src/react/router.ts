/** The used part of react-router: one copy for the shell and all remotes. */
export {
  BrowserRouter,
  Link,
  MemoryRouter,
  Navigate,
  Route,
  Routes,
  UNSAFE_NavigationContext as NavigationContext,
  useLocation,
  useNavigate,
  useNavigationType,
  useParams,
  useSearchParams,
} from 'react-router-dom';
export { changeParams, dayText, oneOf, shortText, useUrlState } from './url-state';
