"""What storing a memory was worth: the steering reward that teaches an agent what to store."""

from collections.abc import Sequence
from dataclasses import dataclass

from context_graph.nervous.lifecycle import Lifecycle

__all__ = ["Reward", "assess"]

DUPLICATE_PENALTY = -0.4  # seed 001 7.8
NO_RATIONALE = -0.5
LOW_PRIORS = -0.3
LINK_BONUS = 0.3
HOLDING_LINK = 0.3  # cosine from which a link holds


@dataclass(frozen=True, slots=True)
class Reward:
    """The feedback on one store, all scores in [-1, 1]."""

    reward: float
    gardener_score: float
    curator_score: float
    assessor_score: float
    explanation: str
    suggestions: tuple[str, ...]
    hint: str


def assess(
    *,
    delta_s: float,
    delta_c: float,
    stage: Lifecycle,
    near_duplicate: str | None,
    duplicate_similarity: float,
    differs_from: str | None = None,
    rationale_ok: bool,
    priors_ok: bool,
    link_cosines: Sequence[float],
    used_before: float,
    cluster_fit: float,
    recent_rewards: Sequence[float],
) -> Reward:
    """Judge a memory by what its stage of life needs (design 7).

    Parameters
    ----------
    near_duplicate : str, optional
        Citation tag of a memory beside which nothing new was said.
    differs_from : str, optional
        Citation tag of a memory that says something else and whose place this may take, or that is more than 0.9
        similar: what may be a correction is never punished.
    used_before : float
        Share of the memories most like it that were used since they were stored, in [0, 1].
    recent_rewards : sequence of float
        Of the session, newest last.
    """
    if stage.stage == "infancy":
        x = delta_s
    elif stage.stage == "growth":
        x = (1.0 - abs(delta_s - delta_c)) * (delta_s + delta_c) / 2.0
    else:
        x = delta_c
    base = 1.4 * x - 0.7 if near_duplicate is not None else max(0.0, 1.4 * x - 0.7)
    holding = sum(cosine >= HOLDING_LINK for cosine in link_cosines)
    bonus = LINK_BONUS * holding / max(len(link_cosines), 1)
    reasons, suggestions, penalty = [_novelty(delta_s), _coherence(delta_c)], [], 0.0
    if near_duplicate is not None:
        penalty += DUPLICATE_PENALTY
        reasons = [f"{duplicate_similarity:.0%} similar to {near_duplicate}"]
        suggestions.append(f"store only what is new beside {near_duplicate}, and link to it")
    if differs_from is not None:
        reasons.append(f"close to {differs_from}, and says something else")
        suggestions.append(f"both are kept; if {differs_from} holds no more, store with metadata.supersedes set to it")
    if not rationale_ok:
        penalty += NO_RATIONALE if differs_from is None else 0.0
        reasons.append("the rationale says nothing that the content does not")
        suggestions.append("say in the rationale why this matters and when it will be needed")
    if not priors_ok:
        penalty += LOW_PRIORS if differs_from is None else 0.0
        suggestions.append("state the domain and the assumptions behind the content")
    if link_cosines and holding == 0:
        suggestions.append("link_to names memories that have little to do with this one")
    if holding:
        reasons.append(f"{holding} links that hold")
    positive = base + bonus if near_duplicate is None and rationale_ok else min(0.0, base)
    reward = max(-1.0, min(1.0, positive + penalty))
    hint = "continue this pattern" if reward > 0.3 else "acceptable" if reward >= -0.3 else "store less, say more"
    last = [*recent_rewards, reward][-10:]
    if len(last) == 10 and sum(last) < 0:
        hint = "the last ten stores taught little: search before storing, and give fuller rationales"
    return Reward(
        reward=reward,
        gardener_score=2.0 * used_before - 1.0,
        curator_score=2.0 * cluster_fit - 1.0,
        assessor_score=max(-1.0, min(1.0, 2.0 * x - 1.0)),
        explanation=f"{'; '.join(reasons)} (stage {stage.stage})",
        suggestions=tuple(suggestions),
        hint=hint,
    )


def _novelty(delta_s: float) -> str:
    return "new to this memory" if delta_s > 0.66 else "partly known" if delta_s > 0.33 else "close to what is known"


def _coherence(delta_c: float) -> str:
    return "fits well" if delta_c > 0.66 else "fits in part" if delta_c > 0.33 else "fits little"
