"""The parts of the widget, each a function from a state to markup."""
