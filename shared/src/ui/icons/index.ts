/** Icons of pages that load later, so that the first paint has only its own (ui/core/icons). Only used icons. */
export { Ellipsis, FlaskConical, GripVertical, Pencil, Plus, Trash2 } from 'lucide-react';
