"""What the classifier tells apart: the labels of the rules, and *hidden*."""

from kdvision.rules.terrain import LABELS
from kdvision.vision.models import HIDDEN_MARK

#: *Hidden* is a place of which too little can be seen: less than
#: `scripts.synthesis.rendering.cover.HIDDEN_BELOW` of it.
CLASSIFIER_LABELS = (*LABELS, HIDDEN_MARK)
HIDDEN_LABEL = len(LABELS)
