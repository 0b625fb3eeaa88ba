"""What a picture, a sound or a film is: its type, its measures, how it looks or sounds, and the words in it."""

from context_graph.media.decoding import from_base64, from_data_uri
from context_graph.media.files import MediaFile, opened
from context_graph.media.kinds import MIME_TYPES, kind_of

__all__ = ["MIME_TYPES", "MediaFile", "from_base64", "from_data_uri", "kind_of", "opened"]
