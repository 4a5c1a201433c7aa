"""From a model's `config.json` to the size of its KV cache: which layers keep what, and what fits where.

Example:
    >>> model = read_config(
    ...     '{"num_hidden_layers": 32, "num_attention_heads": 32, "num_key_value_heads": 8, '
    ...     '"hidden_size": 4096}'
    ... )
    >>> model.layers[0].kind, model.layers[0].bytes_per_token()
    ('full', 4096)
    >>> Deployment(model).bytes_per_token()
    131072

In the order in which to read them: `fields` (a checked look at the file), `schedule` (which layers attend,
and how far back), `layers` (what each keeps), `notes` (what is to be known of it), `totals` (sums, blocks,
ranks), `fits` (what fits, in sentences), `report` (all of it as JSON), `command` (the command line). `models`
has the field values of well-known models.

What this does not do: guess. What is known not to be reckoned here is refused by the name of the field, or
told in a note. A field that nobody knows here is passed over.
"""

from pagedkv.configs.layers import Layer, Model, read_config
from pagedkv.configs.totals import Deployment

__all__ = ["Deployment", "Layer", "Model", "read_config"]
